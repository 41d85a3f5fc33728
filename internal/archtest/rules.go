package archtest

// Rules is who may import whom. Every package has a row, of its own or of its family; arrows point
// to the root package. Rows of folders that do not exist yet are promises.
var Rules = []Rule{
	{For: ".", Why: "the vocabulary is for everyone, so it imports the standard library only"},

	{For: "flow/...", May: []string{".", "flow/...", "internal/lenient", "internal/quote", "internal/secret"}, Why: "a flow knows nothing but its Run and pure leaf packages"},
	{For: "guard/...", May: []string{".", "guard/...", "internal/lenient", "internal/quote", "internal/secret"}, Why: "a guard is a pure decision about the vocabulary; it may use pure leaf packages"},
	{For: "work/...", May: []string{".", "guard", "work/...", "internal/lenient", "internal/quote", "internal/turn"}, Outside: true, Why: "work does what a verb asks and does not know who drives it or where it is recorded"},
	{
		For: "engine", May: []string{".", "store", "guard", "work", "work/args", "work/pace", "work/render", "dispatch", "internal/near", "internal/visible"},
		Why: "the engine knows ports (store, dispatch), never what stands behind them; cmd wires",
	},
	{
		For: "engine/enginetest/...", May: []string{".", "store", "engine", "engine/enginetest/...", "dispatch", "guard", "work/...", "model/script", "internal/labs"},
		Why: "the engine's contract is given a store and a dispatcher; it chooses none",
	},
	{For: "engine/crash/...", May: []string{"..."}, Outside: true, Why: "the crash lab is a whole program: it wires like cmd"},

	{For: "dispatch", May: []string{"."}, Why: "the port names runs, and commands never travel through it"},
	{For: "dispatch/...", May: []string{".", "dispatch", "internal/turn"}, Outside: true, Why: "a dispatcher decides who drives and when, not what happens"},
	{For: "dispatch/dispatchtest", May: []string{".", "dispatch"}, Outside: true, Why: "the contract of a dispatcher knows the port only"},

	{For: "store", May: []string{"."}, Why: "the port is made of the vocabulary"},
	{For: "store/...", May: []string{".", "store"}, Outside: true, Why: "a store keeps what it is given and knows no engine"},
	{For: "store/sqlite/sqlitetest", May: []string{"store/sqlite"}, Why: "makes stores of SQLite for tests"},
	{For: "store/storetest", May: []string{".", "store"}, Outside: true, Why: "the contract of a store knows the port only"},
	{For: "ask", May: []string{".", "store"}, Why: "answers questions of runs as any client does: it reads a view and sends commands"},
	{For: "feed/...", May: []string{".", "store", "feed/..."}, Outside: true, Why: "a feed follows the log and knows nothing else"},

	{For: "memory", May: []string{".", "store"}, Why: "the types and the SQL of our own tables; whoever reads or writes brings the transaction"},
	{For: "keeper", May: []string{".", "store"}, Why: "watches the logs and starts background runs; it sees the engine as one function"},
	{For: "texts", May: []string{".", "flow"}, Why: "reads the user's prompts, rules and skills, and checks them as flows do"},

	{For: "internal/consent", May: nil, Why: "a pure leaf: the words that approve and reject"},
	{For: "internal/visible", May: nil, Why: "a pure leaf: texts in which everything can be seen"},
	{For: "internal/near", May: nil, Why: "a pure leaf, for error messages"},
	{For: "internal/lenient", May: nil, Outside: true, Why: "a pure leaf: JSON out of what models write"},
	{For: "internal/quote", May: nil, Why: "a pure leaf: outside text made harmless"},
	{For: "internal/turn", May: nil, Why: "a pure leaf: whose turn it is"},
	{For: "internal/secret", May: []string{"."}, Why: "a pure leaf: what secrets look like"},
	{For: "model", May: []string{".", "internal/near"}, Outside: true, Why: "a model answers prompts and sees the vocabulary only"},
	{For: "model/...", May: []string{".", "internal/near", "internal/lenient", "internal/quote"}, Outside: true, Why: "a model answers prompts and sees the vocabulary only; no vendor's type leaves its package"},
	{For: "tool", May: []string{"."}, Outside: true, Why: "a tool is a description and a function"},
	{For: "tool/...", May: []string{".", "tool", "tool/reach", "internal/near"}, Outside: true, Why: "tools do not know each other; reach is the policy that all ask, near a pure leaf for error messages"},
	{For: "tool/reach", May: []string{"."}, Outside: true, Why: "one policy for files, which every tool and the vault ask; it knows none of them"},
	{For: "tool/session", May: []string{".", "tool", "store"}, Outside: true, Why: "reads the logs of a session for flows"},
	{For: "tool/memory", May: []string{".", "tool", "store", "memory"}, Outside: true, Why: "reads and writes for flows what is known of people"},
	{For: "tool/notes", May: []string{".", "tool", "store", "vault/...", "internal/near"}, Outside: true, Why: "the notes tools are hands of the vault"},
	{For: "vault/...", May: []string{".", "vault/...", "tool/reach", "internal/turn"}, Outside: true, Why: "the vault indexes and ranks, whoever asks; what it shows is the filter's to say"},
	{For: "vault/stage", May: []string{".", "store", "internal/visible"}, Outside: true, Why: "keeps changes of notes and writes them to the disk; it knows no index"},

	{For: "api", May: []string{".", "store", "people", "notify", "shelf", "unattended", "usage", "vault/..."}, Why: "what the API's requests and answers look like, for the server and its clients"},
	{For: "usage", May: []string{".", "store"}, Why: "sums up ledgers and logs, for the API and the command line"},
	{For: "people", May: []string{".", "store"}, Why: "who may do what: types, decisions and the SQL of their tables"},
	{For: "shelf", May: []string{".", "store"}, Why: "the files of sessions: types and the SQL of their table"},
	{For: "tool/shelf", May: []string{".", "tool", "store", "shelf"}, Outside: true, Why: "lets a model read the files of its session"},
	{For: "notify", May: []string{".", "store"}, Outside: true, Why: "tells people by webhook what waits for them; it watches the logs"},
	{For: "unattended", May: []string{"."}, Why: "a pure reading of a task: what could make it wait for a person"},
	{For: "telemetry/...", May: []string{".", "store", "telemetry/..."}, Outside: true, Why: "makes traces and metrics of the logs; nothing waits for it"},
	{For: "server/...", May: []string{".", "api", "store", "feed", "people", "notify", "shelf", "usage", "vault/...", "server/...", "internal/consent", "internal/near"}, Outside: true, Why: "the server sends commands and reads views; it never imports the engine"},
	{For: "server/chaos/...", May: []string{"..."}, Outside: true, Why: "the chaos lab is a whole program: it has the server and its clients"},
	{For: "client/...", May: []string{".", "api", "people", "client/..."}, Outside: true, Why: "a client speaks the API and knows no part of the server"},
	{For: "tui/...", May: []string{"client", "tui/..."}, Outside: true, Why: "the TUI knows the API through its client and nothing else"},
	{For: "web/...", Why: "the web UI is files; it speaks the API"},

	{For: "replay/...", May: []string{"..."}, Outside: true, Why: "plays recorded runs on the whole runtime: it wires like cmd"},
	{For: "cmd/rein/...", May: []string{"..."}, Outside: true, Why: "the one place that wires"},
	{For: "bench/...", May: []string{"..."}, Outside: true, Why: "measures whole programs"},
	{For: "examples/...", May: []string{"..."}, Outside: true, Why: "shows how to embed"},

	{For: "internal/archtest", Why: "judges the code and so depends on none of it"},
	{For: "internal/apidoc", May: []string{"server/..."}, Why: "writes the documentation of the API from the server's own table"},
	{For: "internal/coverage/...", May: []string{"internal/coverage"}, Why: "reads the tests as text"},
	{For: "internal/oldstore", Why: "tests only: stores of earlier programs, opened by today's"},
	{For: "internal/flowtest", May: []string{"..."}, Outside: true, Why: "plays a flow on the whole runtime: it wires like cmd"},
	{For: "internal/prism", May: []string{"..."}, Outside: true, Why: "puts a validating proxy before a whole server: it wires like cmd"},
	{For: "internal/realclients", May: []string{"..."}, Outside: true, Why: "lets clients that others wrote loose on a whole server: it wires like cmd"},
	{For: "internal/labs", Why: "tests of all layers ask it what to leave out, so it depends on none of them"},
	{For: "internal/testsum", May: []string{"internal/coverage", "internal/labs"}, Why: "reads what go test prints, and which attacks the tests try"},
}
