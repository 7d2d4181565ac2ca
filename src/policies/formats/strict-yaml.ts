/**
 * YAML read so that it can mean one thing only.
 *
 * Every scalar is text: as a YAML number, version `3.10` would be `3.1`. Aliases are never followed, so there is
 * nothing to blow up; tags and repeated keys are refused.
 *
 * @module
 */
import type { Node } from "yaml";
import { loadOptional } from "../optional-package.ts";

/** What this package reads of a document: texts, lists and mappings of them. An alias is `undefined`. */
export type PlainYaml = string | readonly PlainYaml[] | { readonly [key: string]: PlainYaml } | undefined;

/** Depth below which nothing is read: mapping, list, mapping, text. */
const MAX_DEPTH = 4;

/**
 * The top of one YAML document; `undefined` when it is not exactly one document in strict YAML 1.2.
 *
 * @throws PolicyError `dependency_missing` without the package `yaml`
 */
export async function parseStrictYaml(text: string): Promise<PlainYaml> {
  const { isMap, isScalar, isSeq, parseDocument } = await loadOptional("yaml", () => import("yaml"));

  const plain = (node: unknown, depth: number): PlainYaml => {
    if (depth > MAX_DEPTH) return undefined;
    if (isScalar(node)) return typeof node.value === "string" ? node.value : "";
    if (isSeq(node)) return node.items.map((item) => plain(item, depth + 1));
    if (!isMap<Node, Node>(node)) return undefined;
    const entries = node.items.map(({ key, value }) => [plain(key, depth), plain(value, depth + 1)] as const);
    // A list as a key would turn into the text of its only item.
    return Object.fromEntries(entries.filter(([key]) => typeof key === "string"));
  };

  try {
    const document = parseDocument(text, {
      schema: "failsafe",
      strict: true,
      uniqueKeys: true,
      // A silent parser keeps quiet about a second document as well.
      logLevel: "error",
    });
    // An unknown tag is a warning: its value would be taken for what it is not.
    if (document.errors.length > 0 || document.warnings.length > 0) return undefined;
    return plain(document.contents, 1);
  } catch {
    // Nesting that is too deep for the parser ends in a RangeError of its own.
    return undefined;
  }
}
