import { describeLabels } from "../support/label-suite.ts";
import { sdksHere } from "../support/tracing.ts";

for (const sdk of sdksHere) describeLabels(sdk);
