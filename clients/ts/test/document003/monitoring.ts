// @ts-nocheck
import { agent, getAgentTree } from "./ai";

// Start agent
const agentStream = agent({ prompt: "Complex task" });

// Monitor in parallel
setInterval(() => {
  const tree = getAgentTree();
  console.log("Active agents:", Object.keys(tree).length);
  
  for (const [id, state] of Object.entries(tree)) {
    console.log(`${id}: ${state.status} - ${state.userContent.slice(0, 50)}`);
  }
}, 1000);

// Consume stream
for await (const chunk of agentStream) {
  // Process chunks
}
