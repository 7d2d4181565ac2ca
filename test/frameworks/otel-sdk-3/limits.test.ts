import { describeLimits } from "../../support/limit-suite.ts";
import { sdk3 } from "./sdk-3.ts";

describeLimits(sdk3);
