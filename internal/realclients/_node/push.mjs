// A push service and the browsers behind it, as http_ece understands them: takes what is pushed over HTTPS, checks who sends it,
// decrypts it, and prints a JSON object a line. A notification with a tag that was shown before replaces that one.
import { createECDH, createPublicKey, randomBytes, verify } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer } from "node:https";
import ece from "http_ece";

const [cert, key] = process.argv.slice(2);
const print = (line) => process.stdout.write(JSON.stringify(line) + "\n");
const browser = createECDH("prime256v1");
browser.generateKeys();
const auth = randomBytes(16);
const shown = new Map();
let origin = "";

// The token must be signed by the key that comes with it, for this push service, and not for long.
function proof(header) {
  const [, token, k] = header.match(/^vapid t=([^,]+), k=(.+)$/);
  const [head, body, signature] = token.split(".");
  const point = Buffer.from(k, "base64url");
  const jwk = { kty: "EC", crv: "P-256", x: point.subarray(1, 33).toString("base64url"), y: point.subarray(33).toString("base64url") };
  const good = verify("sha256", Buffer.from(`${head}.${body}`), { key: createPublicKey({ key: jwk, format: "jwk" }), dsaEncoding: "ieee-p1363" }, Buffer.from(signature, "base64url"));
  const claims = JSON.parse(Buffer.from(body, "base64url"));
  const life = claims.exp - Date.now() / 1000;
  return { good: good && JSON.parse(Buffer.from(head, "base64url")).alg === "ES256" && claims.aud === origin && life > 0 && life <= 86400, key: k, sub: claims.sub };
}

const server = createServer({ cert: readFileSync(cert), key: readFileSync(key) }, (request, response) => {
  const parts = [];
  request.on("data", (part) => parts.push(part));
  request.on("end", () => {
    if (request.url === "/gone") {
      response.writeHead(410).end();
      return;
    }
    try {
      const text = ece.decrypt(Buffer.concat(parts), { version: "aes128gcm", privateKey: browser, authSecret: auth }).toString();
      const message = JSON.parse(text);
      shown.set(message.id, (shown.get(message.id) ?? 0) + 1);
      const { ttl, urgency, topic, "content-encoding": coding } = request.headers;
      print({ type: "push", message, ttl, urgency, topic, coding, proof: proof(request.headers.authorization), copies: shown.get(message.id), shown: shown.size });
      response.writeHead(201, { Location: `${origin}/m/${message.id}` }).end();
    } catch (error) {
      print({ type: "error", data: String(error) });
      response.writeHead(400).end();
    }
  });
});
server.listen(0, "127.0.0.1", () => {
  origin = `https://push.example:${server.address().port}`;
  print({ type: "subscription", endpoint: `${origin}/browser`, p256dh: browser.getPublicKey("base64url"), auth: auth.toString("base64url") });
});
