// Follows a run over WebSockets of ws and prints what comes, a JSON object a line, until the run has
// ended. When a connection breaks it goes on after the last cursor.
import WebSocket from "ws";

const [address, token] = process.argv.slice(2);
const print = (line) => process.stdout.write(JSON.stringify(line) + "\n");
let cursor = "";
let ended = false;

function connect() {
  const socket = new WebSocket(`${address}?after=${encodeURIComponent(cursor)}`, { headers: { Authorization: `Bearer ${token}` } });
  socket.on("open", () => print({ type: "open" }));
  socket.on("error", () => {}); // it closes then
  socket.on("message", (data, binary) => {
    const frame = JSON.parse(data);
    if (frame.line?.cursor) cursor = frame.line.cursor;
    ended = frame.type === "end";
    print({ type: frame.type, id: frame.line?.cursor, data: frame.line ?? frame.problem, binary });
  });
  socket.on("close", (code) => {
    print({ type: "closed", code });
    if (!ended) setTimeout(connect, 50);
  });
}

connect();
