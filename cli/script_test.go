package cli

import (
	"errors"
	"flag"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"rein/app"
	"rein/app/config"
	"rein/sandbox"
	"rein/tool/mcp/mcptest"
)

var update = flag.Bool("update", false, "write what rein prints into the scripts")

func TestMain(m *testing.M) {
	sandbox.Init()
	if strings.HasSuffix(os.Args[0], ".test") { // and not rein itself, which tests start with keys of their own
		for _, o := range config.Offers() {
			os.Unsetenv(o.Model.KeyEnv) // nothing here may reach a provider
		}
	}
	testscript.Main(m, map[string]func(){"rein": func() { Main(app.Options{}) }, "data": makeData, "owner": ownData, "emulator": func() { emulate() }, "mcptest": mcptest.Main})
}

// quickExit keeps the race detector from holding up the end of each process by a second.
const quickExit = "atexit_sleep_ms=0"

// anyRoot lets tests work in the home that is made for them; TestRunInAHomeFolder and its neighbours
// are without it.
const anyRoot = "REIN_TOOLS_FORCE_ROOT=true"

// TestScripts calls the program in real processes on real data folders.
//
// Plain: it starts a thousand processes; the tests of app, server and engine, and the others here, run the same code
// under the race detector.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script", UpdateScripts: *update, RequireExplicitExec: true,
		Setup: func(env *testscript.Env) error {
			env.Setenv("HOME", env.WorkDir)
			env.Setenv("TZ", "UTC")
			env.Setenv("REIN_FLOW", "operate") // most scripts are about tools and people, not about flows
			env.Setenv("GORACE", quickExit)
			env.Vars = append(env.Vars, anyRoot)
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"run": cmdRun, "talk": talk, "vendor": cmdVendor, "until": cmdUntil, "own": cmdOwn, "sql": cmdSQL, "spoil": cmdSpoil,
		},
	})
}

// talk is cmdTalk where there are terminals to talk through.
var talk = func(ts *testscript.TestScript, _ bool, _ []string) { ts.Fatalf("no terminals on this system") }

// emulate is a program with a window in which another program runs, where there are terminals.
var emulate = func() { os.Exit(exitWrong) }

// cmdRun runs a command. What it printed is in out and err, without what differs from day to day;
// if it is allowed to fail, with its exit code at the end of err.
func cmdRun(ts *testscript.TestScript, neg bool, args []string) {
	failed := ts.Exec(args[0], args[1:]...)
	out, err := ts.ReadFile("stdout"), ts.ReadFile("stderr")
	if exit, ok := errors.AsType[*exec.ExitError](failed); ok {
		err += "exit " + strconv.Itoa(exit.ExitCode()) + "\n"
	}
	if (failed != nil) != neg {
		ts.Fatalf("%v\n%s%s", failed, out, err)
	}
	work := ts.Getenv("WORK")
	ts.Check(os.WriteFile(ts.MkAbs("out"), []byte(steady(out, work)), 0o600))
	ts.Check(os.WriteFile(ts.MkAbs("err"), []byte(steady(err, work)), 0o600))
}

// cmdUntil runs a command until what it prints matches: "until [NAME=]PATTERN COMMAND...". The first
// group of the pattern becomes the variable NAME.
func cmdUntil(ts *testscript.TestScript, neg bool, args []string) {
	name, pattern, ok := strings.Cut(args[0], "=")
	if !ok || strings.ToUpper(name) != name {
		name, pattern = "", args[0]
	}
	want, err := regexp.Compile("(?m)" + pattern)
	ts.Check(err)
	deadline := time.Now().Add(30 * time.Second)
	for {
		failed := ts.Exec(args[1], args[2:]...)
		out := ts.ReadFile("stdout") + ts.ReadFile("stderr")
		if found := want.FindStringSubmatch(out); (found != nil) != neg {
			if name != "" {
				ts.Setenv(name, found[len(found)-1])
			}
			return
		}
		if time.Now().After(deadline) {
			ts.Fatalf("%v: %v never printed %q, but:\n%s", failed, args[1:], pattern, out)
		}
	}
}

// changing is what differs each time, and what stands for it.
var changing = []struct {
	what *regexp.Regexp
	with string
}{
	{regexp.MustCompile(`\d{4}-\d\d-\d\d \d\d:\d\d(:\d\d)?`), "TIME"},
	{regexp.MustCompile(`\b\d\d-\d\d \d\d:\d\d\b`), "TIME"},
	{regexp.MustCompile(`"\d{4}-\d\d-\d\dT[0-9:.]+Z"`), `"TIME"`},
	{regexp.MustCompile(`\b[0-9a-f]{64}\b`), "HASH"},
	{regexp.MustCompile(`\bhead [0-9a-f]{16}\b`), "head HASH"},
	{regexp.MustCompile(`\bv2-[0-9a-f]{40}\b`), "DIGEST"},
	{regexp.MustCompile(`\br[0-9a-z]{24}\b`), "RUN"},
	{regexp.MustCompile(`(there is|available|choose from): [a-z_]+(\.[a-z_]+)*(, [a-z_]+(\.[a-z_]+)*)*`), "${1}: NAMES"}, // of flows and tools, which grow in number
	{regexp.MustCompile(`\bRUN-next-[0-9a-f]+`), "RUN-next"},
	{regexp.MustCompile(`\b(version|knows) \d{1,2}\b`), "$1 N"}, // of the schema
	{regexp.MustCompile(`\bRUN:\d+\.(ask|unknown)`), "RUN:N.$1"},
	{regexp.MustCompile(`\b[\d.]+ (ms|s)\b`), "N ms"},
	{regexp.MustCompile(`[\d,]+ tokens;`), "N tokens;"},
	{regexp.MustCompile(`\b[\d.]+ (kB|MB|GB|TB)\b`), "SIZE"},
	{regexp.MustCompile(`\bprocess \d+`), "process N"},
	{regexp.MustCompile(`"duration":\d+`), `"duration":0`},
	{regexp.MustCompile(`,"driven_ms":-?\d+|"driven_ms":-?\d+,?`), ""},                                                   // it is left out when it is zero
	{regexp.MustCompile(`(?m)^[-·] [^\n]{1,100}(\.\.\.|…)\n`), ""},                                                       // what is waited for, if that takes long
	{regexp.MustCompile(`(?m)^((ok|warn) +(sandbox|python) |\{"state":"(ok|warn)","check":"(sandbox|python)").*\n`), ""}, // of rein doctor: machines differ
	{regexp.MustCompile(`go1[0-9.]+\S* \w+/\w+`), "GO"},
}

func steady(s, work string) string {
	s = strings.ReplaceAll(s, work, "$WORK")
	for _, c := range changing {
		s = c.what.ReplaceAllString(s, c.with)
	}
	return s
}
