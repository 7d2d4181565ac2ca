/**
 * Names of tools: the one piece of documentation that the model reads on every call.
 *
 * @module
 */

/** Lower snake case, with a length that every provider takes. */
const LOWER_SNAKE_CASE = /^[a-z][a-z0-9]*(?:_[a-z0-9]+)*$/;
const MAX_NAME_LENGTH = 64;

// Words that name no job until an object follows. A single word that does, such as "escalate", is a name.
const VAGUE = new Set(
  (
    "run do update execute manage handle process call invoke perform use make go get set put add apply change modify " +
    "edit create delete remove send submit start stop action operation task tool function command request job work " +
    "helper util utility misc general generic default main test"
  ).split(" "),
);
// Objects that say nothing either: "do_it" is as vague as "do".
const EMPTY_OBJECTS = new Set(
  "it this that thing things stuff something anything everything all any".split(" "),
);

/** What is wrong with a tool's name, or `undefined`. */
export function nameFault(name: string): string | undefined {
  if (name.length > MAX_NAME_LENGTH || !LOWER_SNAKE_CASE.test(name)) {
    return `the name has to be lower snake case of at most ${MAX_NAME_LENGTH} characters that says what is done to what: rerun_job`;
  }
  const vague = name.split("_").every((word) => VAGUE.has(word) || EMPTY_OBJECTS.has(word));
  const specific = name.split("_").filter((word) => !EMPTY_OBJECTS.has(word)).length > 1;
  return vague && !specific
    ? "the name is vague: say what is done to what, such as rerun_job instead of run"
    : undefined;
}
