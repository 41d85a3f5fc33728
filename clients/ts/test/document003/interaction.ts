// @ts-nocheck The examples in this folder stand as the document has them; what it leaves out does not compile.
import { agent, setQueryUserHandler } from "./ai";

// Set up user interaction
setQueryUserHandler(async (agentId, prompt) => {
  console.log(`User Query: ${prompt}`);
  return "User's response";
});

// Run agent
const stream = agent({
  prompt: "Plan my birthday party"
});

for await (const chunk of stream) {
  if (chunk.type === "text-delta") {
    process.stdout.write(chunk.textDelta);
  }
}
