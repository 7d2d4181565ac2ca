import { describeLimits } from "../support/limit-suite.ts";
import { sdksHere } from "../support/sdks-here.ts";

for (const sdk of sdksHere) describeLimits(sdk);
