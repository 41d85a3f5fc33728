// Talks over one WebSocket of ws: of its arguments "> JSON" is sent, and "< TYPE" waits for a message of
// this type or update type. Each message that comes is printed, a JSON object a line.
import WebSocket from "ws";

const [address, token, ...steps] = process.argv.slice(2);
const socket = new WebSocket(address, { headers: { Authorization: `Bearer ${token}` } });

// go sends until there is something to wait for.
function go() {
  for (; steps.length > 0 && steps[0].startsWith("> "); steps.shift()) socket.send(steps[0].slice(2));
  if (steps.length === 0) socket.close(1000);
}

socket.on("open", go);
socket.on("message", (data) => {
  process.stdout.write(data + "\n");
  const { type, update_type: update } = JSON.parse(data);
  if (steps[0] === `< ${type}` || steps[0] === `< ${update}`) {
    steps.shift();
    go();
  }
});
socket.on("error", (e) => process.stderr.write(`${e}\n`));
socket.on("close", (code) => process.exit(code === 1000 ? 0 : 1));
