import type { LabelText } from "../evidence/label-texts.ts";
import type { Check } from "./check.ts";

/** No label holds argument or result text. */
export const noContent: Check = {
  id: "no-content",
  title: "No label holds argument or result text",
  level: "error",
  why: "Labels go to places where content must not go. They are fingerprints, numbers and words from closed lists so that they can.",
  pass: "No label and no policy event holds argument text, result text or one of the given secrets.",
  fail: {
    secret: "A label holds one of the texts that were given as secrets.",
    content: "A label holds text of the trace's captured arguments or results.",
    "free-text": "A label whose form has no place for text holds text.",
  },
  unknown: {
    late: "The span came so late that what was captured in its trace is forgotten.",
    "too-many-texts": "The labels of the trace hold so many different texts that not all were looked for.",
  },
  notApplicable: "There is no label.",
  fix: "Write fingerprints instead of values, and ids that do not come from arguments or results. The text is not repeated here; look at the span.",
  judgeTrace(trace, tell) {
    for (const span of trace.spans) {
      const { labels, texts, policies } = span.facts;
      if (labels === undefined && policies === 0 && texts.length === 0) continue;
      const subject = trace.subject(span);
      const leaks = trace.leaksOf(span);
      const prose = texts.filter((text) => !leaks.includes(text) && isProse(text));
      for (const { attribute, text, secret } of leaks) {
        tell.fail(secret ? "secret" : "content", subject, { attribute, observed: lengthOf(text) });
      }
      for (const { attribute, text } of prose) {
        tell.fail("free-text", subject, { attribute, observed: lengthOf(text) });
      }
      if (leaks.length + prose.length > 0) continue;
      // What the trace's other spans captured is forgotten when a span comes late.
      if (trace.isLate) tell.unknown("late", subject);
      else if (!trace.isSearched(span)) tell.unknown("too-many-texts", subject);
      else tell.pass(subject);
    }
  },
};

// Words with gaps, or a piece of JSON, where a fingerprint, a number or a word from a list belongs.
const isProse = ({ text, place }: LabelText): boolean =>
  place === "closed" && (/\S\s+\S|[{}[\]"<>]/.test(text) || text.length > 256);

const lengthOf = (text: string): string => `a text of ${text.length} characters`;
