/** A certificate for 127.0.0.1 that nobody signed but its own key, made anew for every run. */
import { generateKeyPairSync, sign } from "node:crypto";

/** One value of DER. */
function der(tag: number, ...contents: Uint8Array[]): Buffer {
  const content = Buffer.concat(contents);
  const { length } = content;
  const size =
    length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

const sequence = (...contents: Uint8Array[]): Buffer => der(0x30, ...contents);
const hex = (text: string): Buffer => Buffer.from(text, "hex");
const date = (year: string): Buffer => der(0x18, Buffer.from(`${year}0101000000Z`));

const ECDSA_WITH_SHA256 = sequence(der(0x06, hex("2a8648ce3d040302")));
const COMMON_NAME = der(0x06, hex("550403"));
const SUBJECT_ALTERNATIVE_NAME = der(0x06, hex("551d11"));

/** Key and certificate as PEM. */
export function selfSigned(): { key: string; cert: string } {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const name = sequence(der(0x31, sequence(COMMON_NAME, der(0x0c, Buffer.from("test")))));
  const address = sequence(der(0x87, Buffer.from([127, 0, 0, 1])));
  const certificate = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1])),
    ECDSA_WITH_SHA256,
    name,
    sequence(date("2020"), date("2120")),
    name,
    publicKey.export({ type: "spki", format: "der" }),
    der(0xa3, sequence(sequence(SUBJECT_ALTERNATIVE_NAME, der(0x04, address)))),
  );
  const signature = der(0x03, Buffer.from([0]), sign("sha256", certificate, privateKey));
  const base64 = sequence(certificate, ECDSA_WITH_SHA256, signature).toString("base64");
  return {
    key: privateKey.export({ type: "pkcs8", format: "pem" }) as string,
    cert: `-----BEGIN CERTIFICATE-----\n${base64.replaceAll(/.{64}/g, "$&\n")}\n-----END CERTIFICATE-----\n`,
  };
}
