// @ts-nocheck The document shows only the call; this file adds the import and the loop around it.
import { agent } from "./ai";

const stream = agent({
  prompt: `Use Python to explore options:
  
  fork() - Create parallel exploration
  wait() - Get results
  
  Example:
  handles = [fork("Option A"), fork("Option B")]
  results = [wait(h) for h in handles]
  `
});

for await (const chunk of stream) {
  if (chunk.type === "text-delta") process.stdout.write(chunk.textDelta);
}
