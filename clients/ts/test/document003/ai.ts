// What the examples of document 003 import: its five functions.
export { agent, getAgent, getAgentTree, setQueryUserHandler, userIntervention } from "../../src/agents.ts";
