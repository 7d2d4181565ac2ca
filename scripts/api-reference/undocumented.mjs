/**
 * What of a door has no docstring. Not TypeDoc's own check (`validation.notDocumented`): it cannot leave out what is said once
 * for several members, and asks for hundreds of texts that would repeat a name.
 */
import { ReflectionKind } from "typedoc";

const signaturesOf = (one) =>
  [
    ...(one.signatures ?? []),
    ...(one.type?.declaration?.signatures ?? []),
    one.getSignature,
    one.setSignature,
  ].filter((signature) => signature !== undefined);

const isDocumented = (one) =>
  one.hasComment() || signaturesOf(one).some((signature) => signature.hasComment());

/** The members that are written in place in a type, such as `{ a: string }`, also in a list of them or in a union. */
function membersWrittenIn(type) {
  switch (type?.type) {
    case "reflection":
      return type.declaration.children ?? [];
    case "union":
    case "intersection":
      return type.types.flatMap(membersWrittenIn);
    case "array":
      return membersWrittenIn(type.elementType);
    case "tuple":
      return type.elements.flatMap(membersWrittenIn);
    case "namedTupleMember":
      return membersWrittenIn(type.element);
    case "typeOperator":
      return membersWrittenIn(type.target);
    default:
      return [];
  }
}

/** `kind: "each"`, where the one value that is allowed says all, and constructors that take nothing. */
const needsNone = (member) =>
  (member.type?.type === "literal" && !member.flags.isOptional) ||
  (member.kind === ReflectionKind.Constructor &&
    member.signatures.every(({ parameters = [] }) => parameters.length === 0));

/** Where a docstring is missing, those of all parts that are written in place do as well. */
function undocumentedMember(member) {
  if (isDocumented(member) || needsNone(member)) return [];
  const parts = membersWrittenIn(member.type);
  const missing = parts.flatMap(undocumentedMember);
  return parts.length === 0 || missing.length >= parts.length ? [member] : missing;
}

/** Inherited members have their docstring where they are declared, unless that type is not exported. */
const isDeclaredHere = ({ inheritedFrom, flags }) =>
  inheritedFrom?.reflection === undefined && !flags.isExternal;

function undocumentedMembersOf(one) {
  // The keys of a constant are data, and what each means stands beside it as its value.
  if (one.kind === ReflectionKind.Variable) return [];
  if (one.kind !== ReflectionKind.TypeAlias) {
    return (one.children ?? []).filter(isDeclaredHere).flatMap(undocumentedMember);
  }
  // Said of one variant of a union, it holds for the member of that name in the others.
  const members = membersWrittenIn(one.type);
  const said = new Set(members.filter(isDocumented).map(({ name }) => name));
  return members.filter(({ name }) => !said.has(name)).flatMap(undocumentedMember);
}

/** Full names of the exports of a door, and of their members, that have no docstring. */
export const undocumentedOf = (door) =>
  (door.children ?? [])
    .filter((one) => one.kind !== ReflectionKind.Reference)
    .flatMap((one) => [...(isDocumented(one) ? [] : [one]), ...undocumentedMembersOf(one)])
    .map((one) => one.getFriendlyFullName().replaceAll(".__type", ""));
