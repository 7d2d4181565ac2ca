import { describe, expect, it } from "vitest";
import { wantsColour } from "../../src/cli/style.ts";

const terminal = { write: () => {}, isTTY: true };
const pipe = { write: () => {} };

describe("wantsColour", () => {
  it.each([
    ["on a terminal", terminal, {}, false, true],
    ["in a pipe", pipe, {}, false, false],
    ["with --no-color", terminal, {}, true, false],
    ["with NO_COLOR", terminal, { NO_COLOR: "1" }, false, false],
    ["with an empty NO_COLOR, which says nothing", terminal, { NO_COLOR: "" }, false, true],
    ["on a dumb terminal", terminal, { TERM: "dumb" }, false, false],
    ["in a pipe with FORCE_COLOR", pipe, { FORCE_COLOR: "1" }, false, true],
    ["on a terminal with FORCE_COLOR=0", terminal, { FORCE_COLOR: "0" }, false, false],
    ["with NO_COLOR and FORCE_COLOR", terminal, { NO_COLOR: "1", FORCE_COLOR: "1" }, false, false],
    ["with --no-color and FORCE_COLOR", pipe, { FORCE_COLOR: "1" }, true, false],
  ])("%s", (_name, output, env, noColor, expected) => {
    expect(wantsColour(output, env, noColor)).toBe(expected);
  });
});
