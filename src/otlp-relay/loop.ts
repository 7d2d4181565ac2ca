/**
 * Is the endpoint the relay itself? The easy mistake: the variable that tells the sender about the relay is the one
 * that tells the relay about the endpoint.
 *
 * @module
 */
import { lookup } from "node:dns/promises";
import { isIP } from "node:net";

/** Names the relays that an export came through: each knows its own exports by it, however they come back. */
export const MARKER_HEADER = "x-agent-reliability-relay";

// Nobody has twenty relays in a row.
const LONGEST_MARKER = 1_000;

/** The marker with this relay's name added; `undefined` when it is there already. */
export function markedBy(id: string, marker: string | undefined): string | undefined {
  const relays = marker?.split(",").map((name) => name.trim()) ?? [];
  const marked = [...relays, id].join(", ");
  return relays.includes(id) || marked.length > LONGEST_MARKER ? undefined : marked;
}

const ANY = ["0.0.0.0", "::"];

/** True when a request to `url` would arrive at the relay that listens on this host and port. */
export async function leadsBack(url: URL, host: string, port: number): Promise<boolean> {
  const target = Number(url.port) || (url.protocol === "https:" ? 443 : 80);
  if (target !== port) return false;
  const [asked, own] = await Promise.all([addressesOf(url.hostname), addressesOf(host)]);
  // A relay that listens everywhere is met at any address of this machine, of which the loopback is the likely one.
  // The others are found out by the marker.
  const met = own.some((address) => ANY.includes(address)) ? [...own, "127.0.0.1", "::1"] : own;
  return asked.some((address) => met.includes(address));
}

async function addressesOf(name: string): Promise<string[]> {
  const plain = unmapped(name.replace(/^\[(.*)\]$/, "$1"));
  if (isIP(plain) !== 0) return ANY.includes(plain) ? [plain, "127.0.0.1", "::1"] : [plain];
  try {
    return (await lookup(plain, { all: true })).map(({ address }) => address);
  } catch {
    return [];
  }
}

// An IPv4 address in the clothes of IPv6, as URLs write it.
function unmapped(address: string): string {
  const [, high, low] = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/i.exec(address) ?? [];
  if (high === undefined || low === undefined) return address;
  return [high, low]
    .map((half) => Number.parseInt(half, 16))
    .flatMap((half) => [half >> 8, half & 0xff])
    .join(".");
}
