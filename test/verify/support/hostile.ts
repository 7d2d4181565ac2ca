/** Reports whose strings are as bad as strings can be. */
import { type Report, verify } from "../../../src/verify/index.ts";
import { agent, binding, call, root, span, UNLABELLED } from "./build.ts";

/** Terminal escapes, line ends, markup, workflow commands, direction marks, half a pair, a bell. */
export const HOSTILE =
  '\u001b[31mred\u001b[0m\r\n::error::owned\n<script>alert("1")</script> ]]> & \u202egnp \ud800 \u0007 %0A\u2028';

/** Names, ids, files and values that try to break out. */
export function hostileReport(): Report {
  const at = (one: ReturnType<typeof span>) => ({
    ...one,
    position: { source: `${HOSTILE}.jsonl`, line: 3 },
  });
  return verify(
    [
      at(
        root("root", {
          name: HOSTILE,
          attributes: { "trustabl.exit_reason": undefined },
          events: [binding("p", { [HOSTILE]: 1 })],
        }),
      ),
      at(
        call("a", {
          name: HOSTILE,
          attributes: { "trustabl.run_id": HOSTILE, [`trustabl.${HOSTILE}`]: HOSTILE },
        }),
      ),
      at(call("b", { step: 7, attributes: { ...UNLABELLED, "trustabl.tool.side_effect": HOSTILE } })),
      at(agent("c", { parent: "a", name: HOSTILE })),
      {
        ...at(span("x")),
        traceId: HOSTILE,
        spanId: HOSTILE,
        attributes: { "trustabl.tool.attempt": HOSTILE },
      },
    ],
    { strict: true },
  );
}
