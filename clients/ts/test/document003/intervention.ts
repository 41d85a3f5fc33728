// @ts-nocheck
import { agent, userIntervention, getAgentTree } from "./ai";

const stream = agent({ prompt: "Long running task" });

// User decides to delete a subagent after 5 seconds
setTimeout(async () => {
  const tree = getAgentTree();
  const subagents = Object.values(tree).filter(a => a.parentId);
  
  if (subagents.length > 0) {
    await userIntervention(subagents[0].agentId, {
      userComment: "delete"
    });
    console.log(`Deleted subagent ${subagents[0].agentId}`);
  }
}, 5000);

for await (const chunk of stream) {
  // Process chunks
}
