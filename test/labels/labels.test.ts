import { describeLabels } from "../support/label-suite.ts";
import { sdksHere } from "../support/sdks-here.ts";

for (const sdk of sdksHere) describeLabels(sdk);
