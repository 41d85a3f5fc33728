package cli

import (
	"bytes"
	"compress/gzip"
	"context"
	"database/sql"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/coder/websocket"

	"rein"
	"rein/store"
	"rein/store/sqlite"
	"rein/tool/mcp/mcptest"
)

// planted are secrets by the way they enter. None has a shape that gives it away, but those of args and message: rein has
// to know the others.
var planted = map[string]string{
	"provider key":       "Kumquat-provider-81c2f7",
	"sealed key":         "Kumquat-sealedkey-5d90ab",
	"own secret":         "Kumquat-own \"quoted\" 77b1e0",
	"household's secret": "Kumquat-household-e2c419",
	"bob's secret":       "Kumquat-bob-90f3d2",
	"oauth token":        "KumquatOauth9f27c1d0b3",
	"webhook secret":     "Kumquat-webhook-3a6bd8",
	"redact.env":         "Kumquat-variable-c08e55",
	"mcp variable":       "Kumquat-mcpenv-1f7a90",
	"mcp header":         "Kumquat-mcpheader-b2d6c3",
	"typed variable":     "Kumquat-typedenv-6e07b4",
	"typed value":        "Kumquat-typedvalue-19d3ce",
	"typed header":       "Kumquat-typedheader-f5a821",
	"typed credential":   "Kumquat-typedbearer-7b3c90",
	"passed variable":    "Kumquat-passedenv-2f84d6",
	"arguments":          "ghp_kumquatArguments0123456789abcdefgh",
	"message":            "ghp_kumquatMessage00123456789abcdefghi",
	"repeated secret":    "Kumquat-repeated-4be112", // kept, and said and passed on by people too
}

// asTyped are recorded as they are, because they are what people said and approved; they are masked wherever they are shown.
var asTyped = []string{"arguments", "message", "repeated secret"}

const plantedScript = `
when user~"Echo."
say {{ECHO}}

when turn=1 user~"Variables."
call typed.variable {"text":"MCPTEST_REPEATS"}

when turn=2 user~"Variables."
call typed.variable {"text":"!PLANTED_TYPED"}

when turn=3 user~"Variables."
call typed.variable {"text":"GIVEN"}

when turn=1
call read_file {"path":"leak.txt"}

when turn=2
call read_file {"path":"{{ARGS}}.txt"}

when turn=3 user~"Command."
call execute_command {"command":"printf Kumquat-%s 'own \"quoted\" 77b1e0'","background":true}

when turn=4 user~"Command."
call execute_command {"command":"printf Kumquat-%s household-e2c419"}

when
say These are all: {{ALL}}
`

// A plantation is a service with secrets in everything that it meets.
type plantation struct {
	*house
	outside *keptText // what others were sent: webhooks, a collector, providers
	seen    map[string]string
}

// others is everyone whom the service talks to: a provider that repeats the key it was sent, a webhook and a collector.
func (p *plantation) others() *httptest.Server {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		if unzip, err := gzip.NewReader(bytes.NewReader(body)); err == nil {
			body, _ = io.ReadAll(unzip)
		}
		fmt.Fprintf(p.outside, "%s %s %s\n", r.Method, r.URL, body)
		if strings.HasPrefix(r.URL.Path, "/mcp") {
			http.Error(w, "no such session: "+r.Header.Get("X-Key")+" "+r.Header.Get("Authorization"), http.StatusBadRequest)
			return
		}
		if !strings.HasSuffix(r.URL.Path, "/completions") {
			return
		}
		fmt.Fprintf(p.outside, "%s was sent %s\n", r.URL.Path, strings.Repeat("x", len(r.Header.Get("Authorization"))))
		if strings.HasPrefix(r.URL.Path, "/refuses") {
			w.WriteHeader(http.StatusUnauthorized)
			fmt.Fprintf(w, `{"error":{"message":"Incorrect API key provided: %s"}}`, r.Header.Get("Authorization"))
			return
		}
		w.Header().Set("Content-Type", "text/event-stream")
		text, _ := json.Marshal("Your key is " + strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer "))
		fmt.Fprintf(w, "data: {\"id\":\"1\",\"object\":\"chat.completion.chunk\",\"model\":\"m\",\"choices\":[{\"index\":0,\"delta\":{\"role\":\"assistant\",\"content\":%s},\"finish_reason\":null}]}\n\n", text)
		fmt.Fprint(w, "data: {\"id\":\"1\",\"object\":\"chat.completion.chunk\",\"model\":\"m\",\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n")
	}))
	p.Cleanup(server.Close)
	return server
}

// plant makes a home with all of them, and serves it.
func plant(t *testing.T) *plantation {
	p := &plantation{outside: &keptText{}, seen: map[string]string{}}
	h, did, program := newPeer(t, "")
	p.house = &house{home: h}
	url := p.others().URL
	model := func(name, at, key string) string {
		return fmt.Sprintf("[models.%s]\nkind = \"openai\"\nbase_url = \"%s/%s\"\nmodel = \"m\"\nkey_env = %q\n", name, url, at, key)
	}
	h.write(".config/rein/rein.toml", "model = \"demo\"\n[models.demo]\nkind = \"script\"\nfile = \"demo.txt\"\n"+
		model("echo", "echo", "PLANTED_PROVIDER")+model("sealed", "echo", "secret:PROVIDER")+model("refused", "refuses", "PLANTED_PROVIDER")+
		"[tools]\nroot = \"files\"\n[redact]\nenv = [\"PLANTED_ENV\"]\n[telemetry]\notlp = \""+url+"\"\ncontent = true\ndebug = true\n"+
		fmt.Sprintf("[mcp.servers.near]\ncommand = [\"/bin/sh\", \"-c\", \"echo it is $PLANTED_MCP_TOKEN >&2; exec %s\"]\nenv = [%q, \"PLANTED_MCP_TOKEN\"]\n", program, mcptest.Env(did)[0])+
		"[mcp.servers.far]\nurl = \""+url+"/mcp\"\nheaders = {X-Key = \"env:PLANTED_HEADER\"}\n"+
		"[webhooks.hook]\nurl = \""+url+"/hook\"\nsecret_env = \"PLANTED_HOOK\"\nprivate = true\ncontent = true\nevents = [\"ask.opened\", \"run.ended\"]\n")
	all := ""
	for _, way := range plantedWays() {
		if !slices.Contains(asTyped, way) && way != "bob's secret" {
			all += planted[way] + "\n"
		}
	}
	h.write(".config/rein/files/leak.txt", all)
	h.write(".config/rein/files/"+planted["arguments"]+".txt", "A kumquat.")
	script := strings.NewReplacer("{{ALL}}", strings.ReplaceAll(all, "\n", ", "), "{{ARGS}}", planted["arguments"], "{{ECHO}}", planted["bob's secret"]).Replace(plantedScript)
	h.write(".config/rein/demo.txt", script)
	h.env = append(h.env, "PLANTED_PROVIDER="+planted["provider key"], "PLANTED_HOOK="+planted["webhook secret"], "PLANTED_ENV="+planted["redact.env"], "PLANTED_MCP_TOKEN="+planted["mcp variable"], "PLANTED_HEADER="+planted["mcp header"], "PLANTED_PASSED="+planted["passed variable"])
	p.set("PROVIDER", planted["sealed key"], "--shared")
	p.set("FAMILY", planted["household's secret"], "--shared")
	p.set("REPEATED", planted["repeated secret"])
	p.set("OWN", planted["own secret"])
	p.set("OAUTH", `{"token_type":"Bearer","access_token":"`+planted["oauth token"]+`","expires_in":3600}`)
	p.sees("mcp add", p.ok("mcp", "add", "typed", "--allow", "variable", "--env", mcptest.Env(did)[0], "--env", mcptest.Repeats+"="+planted["typed value"],
		"--env", "PLANTED_TYPED="+planted["typed variable"], "--env", "GIVEN=env:PLANTED_PASSED", "--", program))
	out, wrong, _ := p.rein("mcp", "add", "away", "--header", "X-Key="+planted["typed header"], "--header", "Authorization=Bearer "+planted["typed credential"], url+"/mcp")
	p.sees("mcp add", out+wrong)
	p.house = h.serve()
	return p
}

func plantedWays() (ways []string) {
	for way := range planted {
		ways = append(ways, way)
	}
	slices.Sort(ways)
	return ways
}

// set keeps a secret as a person does, and remembers what rein printed.
func (p *plantation) set(name, value string, flags ...string) {
	p.Helper()
	cmd := p.command(append([]string{"secrets", "set", name}, flags...)...)
	cmd.Stdin = strings.NewReader(value + "\n")
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "is set") {
		p.Fatalf("secrets set %s: %v\n%s", name, err, out)
	}
	p.sees("secrets set", string(out))
}

// sees remembers what came out of rein somewhere.
func (p *plantation) sees(where, text string) { p.seen[where] += text + "\n" }

// run starts a run, and reads it by every door.
func (p *plantation) run(task rein.Task) rein.RunID {
	p.Helper()
	answer := p.do("POST", "/v1/runs?tree=1", map[string]any{"task": task}, "Accept: text/event-stream")
	stream, err := io.ReadAll(answer.Body)
	p.check(err)
	p.sees("stream of POST /v1/runs", string(stream))
	id := rein.RunID(answer.Header.Get("Location"))
	id = id[strings.LastIndex(string(id), "/")+1:]
	path := "/v1/runs/" + string(id)
	p.sees("GET "+path, p.call(http.StatusOK, "GET", path, nil)+p.call(http.StatusOK, "GET", path+"/events", nil)+p.call(http.StatusOK, "GET", path+"/tree", nil))
	p.sees("events stream", p.follow(id, "event: end"))
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	conn, _, err := websocket.Dial(ctx, p.url+path+"/events", &websocket.DialOptions{HTTPHeader: http.Header{"Authorization": {"Bearer " + p.token}}})
	p.check(err)
	for {
		_, data, err := conn.Read(ctx)
		if err != nil {
			break
		}
		p.sees("events socket", string(data))
	}
	p.sees("rein show", p.ok("show", string(id))+p.ok("show", "--json", string(id)))
	p.ok("replay", "--save", filepath.Join(p.dir, "tapes"), string(id))
	return id
}

func said(text string) []rein.Message { return []rein.Message{{Role: rein.User, Text: text}} }

// spelled are the ways to write a secret in which it can be found.
func spelled(value string) []string {
	quoted, _ := json.Marshal(value)
	all := []string{value, string(quoted[1 : len(quoted)-1]), hex.EncodeToString([]byte(value)), url.QueryEscape(value), url.PathEscape(value)}
	for shift := range 3 {
		text := base64.StdEncoding.EncodeToString([]byte(strings.Repeat("-", shift) + value))
		all = append(all, text[[]int{0, 2, 3}[shift]:(shift+len(value))/3*4])
	}
	return all
}

// clean wants no secret in a text, but those that may be there.
func (p *plantation) clean(where, text string, but ...string) {
	p.Helper()
	for _, way := range plantedWays() {
		if slices.Contains(but, way) {
			continue
		}
		for _, value := range spelled(planted[way]) {
			if at := strings.Index(text, value); at >= 0 {
				p.Errorf("%s has the %s: …%q…", where, way, text[max(0, at-80):min(len(text), at+len(value)+20)])
				break
			}
		}
	}
}

// files wants every file below a folder to be clean, byte by byte.
func (p *plantation) files(dir string, but ...string) (n int) {
	p.Helper()
	p.check(filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		n++
		data, err := os.ReadFile(path)
		p.clean(path, string(data), but...)
		return err
	}))
	return n
}

// database wants every column of every table to be clean, and every event as it was recorded: payloads can be packed.
func (p *plantation) database(path string) {
	p.Helper()
	db, err := sql.Open("sqlite", "file:"+path+"?mode=ro")
	p.check(err)
	defer db.Close()
	tables, err := db.Query(`SELECT m.name, c.name FROM sqlite_schema m JOIN pragma_table_info(m.name) c WHERE m.type = 'table'`)
	p.check(err)
	var columns [][2]string
	for tables.Next() {
		var c [2]string
		p.check(tables.Scan(&c[0], &c[1]))
		columns = append(columns, c)
	}
	p.check(tables.Err())
	for _, c := range columns {
		rows, err := db.Query(fmt.Sprintf(`SELECT CAST(%q AS BLOB) FROM %q`, c[1], c[0]))
		p.check(err)
		for rows.Next() {
			var data []byte
			p.check(rows.Scan(&data))
			p.clean(path+" "+c[0]+"."+c[1], string(data), asTyped...)
		}
		p.check(rows.Err())
	}
	p.events(path)
}

func (p *plantation) events(path string) {
	p.Helper()
	s, err := sqlite.OpenReader(p.Context(), path)
	p.check(err)
	defer s.Close()
	events := 0
	for info, err := range s.Runs(p.Context(), store.Filter{}) {
		p.check(err)
		for e, err := range s.Events(p.Context(), info.ID, 0) {
			p.check(err)
			events++
			p.clean(fmt.Sprintf("%s: event %d of %s", path, e.Seq, e.Run), string(e.Data), asTyped...)
		}
	}
	if events < 20 {
		p.Errorf("%s has only %d events", path, events)
	}
}

// wants wants texts in places, so that nothing is clean only because it is empty.
func (p *plantation) wants(all map[string][]string) {
	p.Helper()
	for where, texts := range all {
		for _, text := range texts {
			if !strings.Contains(p.seen[where], text) {
				p.Errorf("%s has no %q, but:\n%.3000s", where, text, p.seen[where])
			}
		}
	}
}

// hears waits until others were sent a text.
func (p *plantation) hears(want string) {
	p.Helper()
	for late := time.After(time.Minute); ; {
		all, more := p.outside.next()
		if strings.Contains(all, want) {
			return
		}
		select {
		case <-more:
		case <-late:
			p.Fatalf("nobody was sent %q, but:\n%s", want, all)
		}
	}
}

// What people, settings and providers keep secret is in no table, page, file, log, stream, backup or export, whichever
// way it entered, and whoever repeats it.
//
// Covers: HUM-42
// Attack: 66
func TestPlantedSecrets(t *testing.T) {
	t.Parallel()
	p := plant(t)
	p.withToken()
	p.ok("users", "add", "bob", "member")
	owner, bob := p.token, p.ok("tokens", "new", "bobs", "--user", "bob")
	link := p.ok("login", "bob")

	p.run(rein.Task{Messages: said("Show all. " + planted["message"] + " " + planted["repeated secret"])})
	p.run(rein.Task{Flow: "chat", Model: "echo", Messages: said("Which key?")})
	p.run(rein.Task{Flow: "chat", Model: "sealed", Messages: said("Which key?")})
	p.run(rein.Task{Flow: "chat", Model: "refused", Messages: said("Which key?")})
	// What files of a workspace hold is kept when a command may change them, to undo it: so this one goes first.
	p.check(os.Remove(filepath.Join(p.dir, ".config/rein/files/leak.txt")))
	p.run(rein.Task{Messages: said("Command.")})
	p.run(rein.Task{Messages: said("Variables.")})
	d := p.dialogue("?conversation_id=talk")
	d.says(`{"type":"chat","conversation_id":"talk","agent_mode":false,"content":"Show all.","selected_tools":["read_file"]}`)
	p.sees("/ws", d.hears("response_complete"))
	explored, err := io.ReadAll(p.do("GET", "/agent/stream?prompt=Show+all.", nil).Body)
	p.check(err)
	p.sees("/agent/stream", string(explored))

	p.token = bob
	p.call(http.StatusOK, "PUT", "/v1/secrets/MINE", map[string]string{"value": planted["bob's secret"]})
	p.call(http.StatusBadRequest, "PUT", "/v1/secrets/MINE", `{"value":"`+planted["bob's secret"]+`","valu":"`+planted["bob's secret"]+`"}`, "Content-Type: application/json")
	p.call(http.StatusBadRequest, "PUT", "/v1/secrets/MI%20NE", map[string]string{"value": planted["bob's secret"]})
	p.run(rein.Task{Messages: said("Echo.")})
	p.sees("bob's list", p.call(http.StatusOK, "GET", "/v1/secrets", nil))

	p.token = owner
	for _, path := range []string{"/v1/secrets", "/v1/changes", "/v1/runs", "/v1/audit", "/v1/sessions", "/metrics", "/v1/health", "/v1/deliveries", "/v1/usage"} {
		p.sees("GET "+path, p.call(http.StatusOK, "GET", path, nil))
	}
	p.sees("command line", p.ok("runs", "--all")+p.ok("secrets", "list")+p.ok("secrets", "list", "--json")+p.ok("doctor", "--json")+p.ok("config", "check")+p.ok("models"))
	p.sees("mcp", p.ok("mcp", "test", "near")+p.ok("mcp", "list", "--json"))
	out, wrong, code := p.rein("mcp", "test", "far")
	p.sees("mcp", out+wrong)
	if code == exitOK || !strings.Contains(p.text(".local/share/rein/mcp/near.log"), "it is [redacted: ") {
		t.Errorf("the MCP servers did not show what they have: exit %d\n%s", code, p.seen["mcp"])
	}
	out, wrong, code = p.rein("mcp", "test", "away")
	p.sees("mcp", out+wrong)
	if code == exitOK || !strings.Contains(p.text(".local/share/rein/mcp/typed.log"), "has started [redacted: ") {
		t.Errorf("the MCP servers that were added did not show what they have: exit %d\n%s", code, p.seen["mcp"])
	}
	backup := filepath.Join(p.dir, "backup.db")
	p.ok("backup", backup)
	data := filepath.Join(p.dir, ".local/share/rein")
	p.files(data, asTyped...) // with the write-ahead log, as it is while everything runs
	p.database(filepath.Join(data, "rein.db"))
	p.hears("POST /hook")
	p.end(syscall.SIGTERM)

	p.sees("log", p.errors.String())
	p.sees("others", p.outside.String())
	p.wants(map[string][]string{
		"log": {"run"}, "others": {"POST /hook", "POST /v1/traces", "[redacted: "},
		"/ws": {"[redacted: sealed secret]"}, "/agent/stream": {"[redacted: sealed secret]"}, "events socket": {"[redacted: sealed secret]"},
		"stream of POST /v1/runs": {"[redacted: sealed secret]", "[redacted: PLANTED_PROVIDER]", "[redacted: PLANTED_ENV]", "[redacted: PLANTED_HOOK]", "Your key is [redacted: secret:PROVIDER]", "Show all. [redacted: github token]", "it is [redacted: sealed secret]", "[redacted: MCP credential]"},
		"mcp":                     {"Returns a variable. [redacted: sealed secret]"},
	})
	for where, text := range p.seen {
		p.clean(where, text)
		for _, badge := range []string{owner, bob, link} {
			if strings.Contains(text, badge) {
				t.Errorf("%s has a credential", where)
			}
		}
	}
	if kept, err := filepath.Glob(filepath.Join(data, "commands/*.log")); err != nil || len(kept) == 0 {
		t.Errorf("no command has left what it wrote: %v", err)
	}
	if n := p.files(data, asTyped...); n < 3 {
		t.Errorf("the data folder has only %d files", n)
	}
	p.files(filepath.Join(p.dir, "tapes"))
	p.files(backup, asTyped...)
	p.database(backup)
	key := p.text(".local/share/rein/secret.key")
	if line := strings.Fields(key); strings.Contains(p.text("backup.db"), line[len(line)-1]) {
		t.Error("the backup has the key")
	}
}
