import { describeLabels } from "../../support/label-suite.ts";
import { sdk3 } from "./sdk-3.ts";

describeLabels(sdk3);
