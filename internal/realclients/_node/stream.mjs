// Follows a run with eventsource and prints what comes, a JSON object a line, until the run has ended.
// How it connects again, and from where, is eventsource's own affair.
import { EventSource } from "eventsource";

const [address, token] = process.argv.slice(2);
const print = (line) => process.stdout.write(JSON.stringify(line) + "\n");
const source = new EventSource(address, {
  fetch: (input, init) => fetch(input, { ...init, headers: { ...init.headers, Authorization: `Bearer ${token}` } }),
});

source.addEventListener("open", () => print({ type: "open" }));
source.addEventListener("error", (e) => {
  if (e.data) return print({ type: "problem", data: JSON.parse(e.data) }); // the server's own event "error"
  print({ type: "broken", closed: source.readyState === EventSource.CLOSED, text: String(e.message) });
});
for (const type of ["event", "delta", "resync"]) {
  source.addEventListener(type, (e) => print({ type, id: e.lastEventId, data: JSON.parse(e.data) }));
}
source.addEventListener("end", () => {
  print({ type: "end" });
  source.close();
});
