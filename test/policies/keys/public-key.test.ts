import { describe, expect, it } from "vitest";
import { type PolicyError, verifyPolicy } from "../../../src/policies/index.ts";
import { parsePublicKey } from "../../../src/policies/keys/public-key.ts";
import { codeOf, described, read, temporaryFolder, write } from "../support/deployment.ts";
import { ed25519Key, p256Key, rawBase64, rsaKey } from "../support/openssl.ts";
import { run } from "../support/tools.ts";

const folder = temporaryFolder();

function codeFor(text: string): string {
  try {
    return parsePublicKey(text).algorithm;
  } catch (error) {
    return (error as PolicyError).code;
  }
}

describe("a public key", () => {
  it("may be PEM, of three kinds", () => {
    expect(codeFor(ed25519Key(folder).publicPem)).toBe("ed25519");
    expect(codeFor(p256Key(folder).publicPem)).toBe("ecdsa-p256");
    expect(codeFor(rsaKey(folder).publicPem)).toBe("rsa-sha256");
  });

  it("may be the base64 of 32 raw Ed25519 bytes, and is then the same key as its PEM", () => {
    const key = ed25519Key(folder);
    const [pem, raw] = [parsePublicKey(key.publicPem), parsePublicKey(rawBase64(folder, key))];
    expect(raw.key.equals(pem.key)).toBe(true);
  });

  it("may be an OpenSSH line, with a comment or without, and is then the same key as its PEM", () => {
    for (const [type, name] of [
      ["ed25519", "a"],
      ["ecdsa", "b"],
    ] as const) {
      run("ssh-keygen", ["-q", "-t", type, "-N", "", "-C", "release team", "-f", name], folder);
      const line = read(folder, `${name}.pub`).toString();
      const bare = line.split(" ").slice(0, 2).join(" ");
      expect(parsePublicKey(line).key.equals(parsePublicKey(bare).key)).toBe(true);
    }
    const pem = run("ssh-keygen", ["-e", "-m", "PKCS8", "-f", "b.pub"], folder).toString();
    expect(parsePublicKey(pem).key.equals(parsePublicKey(read(folder, "b.pub").toString()).key)).toBe(true);
  });

  it("may be minisign's, and then has its number", () => {
    run("minisign", ["-G", "-W", "-f", "-p", "m.pub", "-s", "m.key"], folder);
    const key = parsePublicKey(read(folder, "m.pub").toString());
    expect(key.algorithm).toBe("ed25519");
    expect(key.minisignNumber).toHaveLength(8);
  });

  it("is refused when it is a private key or a certificate: the one should not lie here, the other says more", () => {
    const key = p256Key(folder);
    expect(codeFor(read("/", key.file).toString())).toBe("trust_root_invalid");
    const request = ["req", "-x509", "-new", "-key", key.file, "-subj", "/CN=x", "-days", "1"];
    expect(codeFor(run("openssl", request, folder).toString())).toBe("trust_root_invalid");
    expect(codeFor(key.publicPem + read("/", key.file).toString())).toBe("trust_root_invalid");
    expect(codeFor(key.publicPem + key.publicPem)).toBe("trust_root_invalid");
  });

  it("is refused when it is of another kind, or too weak", () => {
    const generate = (...parameters: string[]) => {
      run("openssl", ["genpkey", ...parameters, "-out", "other.key"], folder);
      return run("openssl", ["pkey", "-in", "other.key", "-pubout"], folder).toString();
    };
    expect(codeFor(generate("-algorithm", "ed448"))).toBe("trust_root_invalid");
    expect(codeFor(generate("-algorithm", "x25519"))).toBe("trust_root_invalid");
    const curve = ["-algorithm", "EC", "-pkeyopt"];
    expect(codeFor(generate(...curve, "ec_paramgen_curve:P-384"))).toBe("trust_root_invalid");
    expect(codeFor(generate(...curve, "ec_paramgen_curve:secp256k1"))).toBe("trust_root_invalid");
    expect(codeFor(rsaKey(folder, 1024).publicPem)).toBe("trust_root_invalid");
    expect(codeFor(rsaKey(folder, 2048, 3).publicPem)).toBe("trust_root_invalid");
  });

  it.each([
    "",
    "AAAA",
    "-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n",
    "ssh-ed25519 AAAA",
    "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIA==",
    "ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAAAgQ==",
    "x".repeat(20_000),
    `${"A".repeat(42)}=`,
    Buffer.alloc(31).toString("base64"),
    Buffer.alloc(33).toString("base64"),
  ])("is refused in no form that is known: %j", (text) => {
    expect(codeFor(text)).toBe("trust_root_invalid");
  });

  it("is refused when its point is not on the curve", () => {
    const point = Buffer.concat([Buffer.from([4]), Buffer.alloc(64, 1)]);
    const string = (bytes: Buffer) => Buffer.concat([Buffer.from([0, 0, 0, bytes.length]), bytes]);
    const blob = Buffer.concat([
      string(Buffer.from("ecdsa-sha2-nistp256")),
      string(Buffer.from("nistp256")),
      string(point),
    ]);
    expect(codeFor(`ecdsa-sha2-nistp256 ${blob.toString("base64")}`)).toBe("trust_root_invalid");
  });
});

// Arithmetic of the curve, so that the refused points are found and not copied.
const P = 2n ** 255n - 19n;
const modulo = (a: bigint) => ((a % P) + P) % P;
const power = (base: bigint, exponent: bigint): bigint => {
  let [result, square] = [1n, modulo(base)];
  for (let rest = exponent; rest > 0n; rest >>= 1n) {
    if (rest & 1n) result = modulo(result * square);
    square = modulo(square * square);
  }
  return result;
};
const inverse = (a: bigint) => power(a, P - 2n);
const D = modulo(-121665n * inverse(121666n));
type Point = readonly [x: bigint, y: bigint];
const add = ([x1, y1]: Point, [x2, y2]: Point): Point => {
  const product = modulo(D * modulo(x1 * x2) * modulo(y1 * y2));
  return [
    modulo((x1 * y2 + x2 * y1) * inverse(1n + product)),
    modulo((y1 * y2 + x1 * x2) * inverse(modulo(1n - product))),
  ];
};
/** The points with this y: none, one or two. */
const pointsAt = (y: bigint): Point[] => {
  const square = modulo((y * y - 1n) * inverse(modulo(D * y * y + 1n)));
  let x = power(square, (P + 3n) / 8n);
  if (modulo(x * x) !== square) x = modulo(x * power(2n, (P - 1n) / 4n));
  if (modulo(x * x) !== square) return [];
  return x === 0n
    ? [[0n, y]]
    : [
        [x, y],
        [modulo(-x), y],
      ];
};
const encode = (y: bigint, sign: bigint) =>
  Buffer.from((y + (sign << 255n)).toString(16).padStart(64, "0"), "hex").reverse();
const ORDER = 2n ** 252n + 27742317777372353535851937790883648493n;
const multiply = (factor: bigint, point: Point): Point => {
  let result: Point = [0n, 1n];
  let doubled = point;
  for (let rest = factor; rest > 0n; rest >>= 1n) {
    if (rest & 1n) result = add(result, doubled);
    doubled = add(doubled, doubled);
  }
  return result;
};

/** The eight points whose order divides eight: a point of any order, times the order of the large group. */
function smallOrderPoints(): Point[] {
  for (let y = 2n; ; y++) {
    for (const point of pointsAt(y)) {
      const generator = multiply(ORDER, point);
      const points = Array.from({ length: 8 }, (_, times) => multiply(BigInt(times), generator));
      if (new Set(points.map(String)).size === 8) return points;
    }
  }
}

describe("an Ed25519 key of small order", () => {
  const points = smallOrderPoints();

  it.each(points)("is refused, with either sign: x %d, y %d", (_x, y) => {
    for (const sign of [0n, 1n]) {
      expect(codeFor(encode(y, sign).toString("base64"))).toBe("trust_root_invalid");
    }
  });

  it("is refused in its other spellings too, above the field's prime", () => {
    for (let y = P; y < 2n ** 255n; y++) {
      for (const sign of [0n, 1n]) {
        expect(codeFor(encode(y, sign).toString("base64"))).toBe("trust_root_invalid");
      }
    }
  });

  it("does not verify the one signature that fits every message, which some versions of Node take", async () => {
    write(folder, "egress.yaml", "any message");
    write(folder, "s", Buffer.concat([encode(1n, 0n), Buffer.alloc(32)]));
    const trust = { keys: [{ id: "neutral", public_key: encode(1n, 0n).toString("base64") }] };
    const config = { ...described, format: "ed25519", signature: "s", trust } as const;
    expect(await codeOf(verifyPolicy(config, { folder }))).toBe("trust_root_invalid");
  });

  it("is not a key that somebody made", () => {
    for (let made = 0; made < 5; made++) expect(codeFor(ed25519Key(folder).publicPem)).toBe("ed25519");
  });
});
