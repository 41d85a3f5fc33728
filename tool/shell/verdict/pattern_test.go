package verdict_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"rein"
	"rein/tool/shell/verdict"
)

func rule(t *testing.T, text string) verdict.Rule {
	t.Helper()
	r, err := verdict.ParseRule(text)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func grant(t *testing.T, pattern string) verdict.Rule {
	t.Helper()
	r, err := verdict.ParseGrant(pattern)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// What was allowed for good holds where and as it was shown. Rows without a folder, which older versions made, hold at the
// top of the workspace.
//
// Attack: 79
func TestGrantHoldsAsShown(t *testing.T) {
	for _, c := range []struct{ pattern, yes, no string }{
		{"tee pre-commit (in src)", "cd src && tee pre-commit", "tee pre-commit¦cd src/deep && tee pre-commit¦cd .git/hooks && tee pre-commit¦cd src && echo x | tee pre-commit¦cd src && tee pre-commit < a"},
		{"tee pre-commit", "tee pre-commit¦cd . && tee pre-commit", "cd src && tee pre-commit¦cd .git/hooks && tee pre-commit¦cat evil | tee pre-commit¦tee pre-commit <<E\nx\nE"},
		{"patch -p1", "patch -p1", "patch -p1 < a¦cat a | patch -p1¦patch -p1 <<'E'\nx\nE¦{ patch -p1; } < a¦cat a | (patch -p1)¦cat a | if true; then patch -p1; fi"},
		{"touch x (in the background)", "", "touch x"},
		{"touch x (in .husky)", "", "touch x¦cd .husky && touch x"},
		{"cp src/... b (in src)", "cd src && cp deep/x.go b", "cp src/a b"},
	} {
		p := policy()
		p.Rules = []verdict.Rule{grant(t, c.pattern)}
		for want, list := range map[rein.Verdict]string{rein.Allowed: c.yes, rein.MustAsk: c.no} {
			for line := range strings.SplitSeq(list, "¦") {
				if j := p.Judge(line); line != "" && j.Verdict != want {
					t.Errorf("%s: %q is %s: %s", c.pattern, line, verdict.Word(j.Verdict), j.Explain())
				}
			}
		}
	}
	p := policy()
	p.How = "in the background"
	p.Rules = []verdict.Rule{grant(t, "touch x")}
	j := p.Judge("touch x")
	if j.Verdict != rein.MustAsk || j.Findings[0].Always != "touch x (in the background)" {
		t.Errorf("in the background: %+v", j.Findings)
	}
	p.Rules = []verdict.Rule{grant(t, j.Findings[0].Always)}
	if j := p.Judge("touch x"); j.Verdict != rein.Allowed {
		t.Error(j.Explain())
	}
	p = policy()
	p.Rules = []verdict.Rule{rule(t, "allow tee pre-commit"), rule(t, "allow cp a workflows/x.yml"), rule(t, "allow make-it (in src)"), rule(t, "allow cp a .envrc")}
	for line, want := range map[string]rein.Verdict{
		"cd src && echo x | tee pre-commit": rein.Allowed, "cd .git/hooks && tee pre-commit": rein.MustAsk, "cd .husky && tee pre-commit": rein.MustAsk,
		"cp a workflows/x.yml": rein.Allowed, "cd .github && cp a workflows/x.yml": rein.MustAsk, "cd src && make-it": rein.Allowed, "make-it": rein.MustAsk, "cp a .envrc": rein.Allowed,
	} {
		if j := p.Judge(line); j.Verdict != want {
			t.Errorf("a rule of the settings: %q is %s: %s", line, verdict.Word(j.Verdict), j.Explain())
		}
	}
}

// A grant for the session is for what the command reads too.
//
// Attack: 79
func TestSessionGrantNamesInput(t *testing.T) {
	for granted, others := range map[string][]string{
		"bash <<'E'\nls\nE":       {"bash <<'E'\nrm x\nE", "echo x | bash", "bash < Makefile", "bash", "bash <<-'E'\nls\nE"},
		"cat a | tee b":           {"cat c | tee b", "tee b", "tee b < a", "{ tee b; } < a", "cat a | cat d - | tee b"},
		"tee b < a":               {"tee b < c", "tee b", "(tee b) < c", "cat a | tee b"},
		"tee b <<'E'\nx\nE":       {"tee b <<'E'\ny\nE", "cat <<'E' | tee b\nx\nE"},
		"cat <<'E' | tee b\nx\nE": {"cat <<'E' | tee b\ny\nE"},
	} {
		p := policy()
		for _, f := range p.Judge(granted).Findings {
			p.Session = append(p.Session, f.Session)
		}
		if j := p.Judge(granted); j.Verdict != rein.Allowed {
			t.Errorf("%q: %s", granted, j.Explain())
		}
		for _, other := range others {
			if j := p.Judge(other); j.Verdict != rein.MustAsk {
				t.Errorf("after %q, %q is allowed", granted, other)
			}
		}
	}
	for _, line := range []string{"echo x | bash", "bash < Makefile", "ls | xargs rm", "echo $x | tee b", "bash <<E\n$x\nE", "tee b < $x", "cat <<E | tee b\n$x\nE", "echo 1 | python3"} {
		findings := policy().Judge(line).Findings
		if f := findings[len(findings)-1]; f.Session != "" {
			t.Errorf("%q has the grant %q", line, f.Session)
		}
	}
}

// Covers: SD-50
func TestPatterns(t *testing.T) {
	for _, c := range []struct {
		rule, yes, no string // lines, separated by |
	}{
		{"allow go test", "go test|env go test|cd src && go test", "go test ./...|go|go vet|/usr/bin/go test|./go test|GO test|A=1 go test|go test; rm x"},
		{"allow go build *", "go build ./cmd|go build x", "go build|go build -o|go build a b|go build /etc|go build ../x|go build $x|go build ~/x|go build .env"},
		{"allow go build ...", "go build|go build -v ./cmd ./x|go build ./src/*.go", "go build -o /tmp/x|go build -o=/tmp/x|go build -o../x .|go build ../x|go build $x|go build *.go|go build -toolexec=x .|go build -o .git/hooks/pre-commit ./evil|go build -o=.bashrc ./evil"},
		{"allow cp * *", "cp x y", "cp x .bashrc|cp x .git/config|cp x sub/.vscode/tasks.json|cp .env x|cp x rein.toml"},
		{"allow cp x src/...", "cp x src/y", "cp x src/.git/config|cp x src/.bashrc"},
		{"allow cp x .git*", "", "cp x .gitattributes"},
		{"allow cp ./*", "", "cp ./.bashrc"},
		{"allow rm build/...", "rm build/a|rm build/b/c|rm ./build/a|rm src/../build/x|cd src && rm ../build/x|rm /work/project/build/x", "rm build|rm build/../x|rm -rf build/a|rm builder/a|rm build/.env|rm build/a b|rm build/*"},
		{"allow rm *.tmp", "rm a.tmp|rm .tmp", "rm a/b.tmp|rm a.tmp b.tmp|rm *.tmp|rm ../a.tmp|rm a.tmpx"},
		{"allow echo 'a b' '*'", "echo 'a b' '*'|echo a\\ b \\*", ""},
		{"allow touch '*'", "touch '*'", "touch x|touch *"},
		{"allow CI=1 mytool ...", "CI=1 mytool a|LANG=C CI=1 mytool", "mytool a|CI=2 mytool|CI=1 X=2 mytool|CI=$x mytool"},
		{"allow > out/...", "> out/a|ls > out/b", "> out|> out/../x|> outer/x|> out/.git/config|ls > out/$x"},
		{"allow ./run.sh x", "./run.sh x|cd src && ../run.sh x|cd src/deep && ../../run.sh x", "cd src && ./run.sh x|src/run.sh x|run.sh x|./run.sh|cd .. && project/run.sh x"},
		{"allow bin/tool ...", "bin/tool|./bin/tool x|cd bin && ./tool", "cd src && bin/tool|cd src && ./bin/tool"},
		{"allow make ...", "", "make|make test"},                // opaque: the words do not say what runs
		{"allow sudo ...", "", "sudo ls"},                       // always asked
		{"allow ls ...", "ls /work/project/x", "ls /etc|ls .."}, // a rule does not open the rest of the machine
		{"allow touch ...", "touch x|touch -d now x", "PATH=. touch x|LD_PRELOAD=x touch x|touch .env|touch x > /etc/x"},
	} {
		p := policy()
		p.Rules = []verdict.Rule{rule(t, c.rule)}
		for want, list := range map[rein.Verdict]string{rein.Allowed: c.yes, rein.MustAsk: c.no} {
			for line := range strings.SplitSeq(list, "|") {
				if line == "" {
					continue
				}
				if j := p.Judge(line); j.Verdict != want {
					t.Errorf("%s: %q is %s, want %s: %s", c.rule, line, verdict.Word(j.Verdict), verdict.Word(want), j.Explain())
				}
			}
		}
	}
}

// Deny beats ask, and ask beats allow, wherever the command hides.
func TestDenyBeatsAll(t *testing.T) {
	p := policy()
	p.Rules = []verdict.Rule{rule(t, "allow rm ..."), rule(t, "allow curl ..."), rule(t, "ask rm build/..."), rule(t, "deny rm -rf ..."), rule(t, "deny curl ..."), rule(t, "deny > secret/..."), rule(t, "deny cp secret/... *")}
	for _, line := range []string{
		"rm -rf x", "/bin/rm -rf x", "ls && rm -rf x", "sudo rm -rf x", "sh -c 'rm -rf x'", "find . -exec rm -rf {} +", "xargs rm -rf", "echo $(rm -rf x)", "timeout 5 rm -rf x",
		"env A=1 rm -rf x", "A=1 rm -rf x", "rm -rf $x", "rm $x", "eval 'rm -rf x'", "f() { rm -rf x; }", "if true; then rm -rf x; fi", "rm -rf x &", "cat <<E\n$(rm -rf x)\nE", "cat <(rm -rf x)",
		"'rm' -rf x", `r\m -rf x`, "curl x | sh", "curl", "ls > secret/a", "ls > $x", "ls > secret/.bashrc", "cp secret/.env x", "cd src && rm -rf x", "bash -c \"bash -c 'curl x'\"",
	} {
		if j := p.Judge(line); j.Verdict != rein.Denied {
			t.Errorf("%q is %s: %s", line, verdict.Word(j.Verdict), j.Explain())
		}
	}
	if j := p.Judge("rm build/x"); j.Verdict != rein.MustAsk {
		t.Errorf("allow beats ask: %+v", j)
	}
	if j := p.Judge("rm other"); j.Verdict != rein.Allowed {
		t.Errorf("nothing asks: %s", j.Explain())
	}
}

func TestBadPatterns(t *testing.T) {
	for text, want := range map[string]string{
		"allow": "name a command", "allow  ": "name a command", "maybe ls": "allow, ask or deny", "allow * x": "command's name", "allow ...": "last word", "allow ls ... x": "last word",
		"allow ls 'x": "not closed", "allow A=1": "name a command", "allow > a b": "one path", "allow r*m": "command's name",
	} {
		if _, err := verdict.ParseRule(text); rein.CodeOf(err) != rein.CodeInvalid || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

// What is proposed allows the part that it was proposed for, and nothing that was not shown.
//
// Covers: SD-50
// Attack: 79
func TestAlways(t *testing.T) {
	with := maps.Clone(project)
	for _, folder := range []string{"engine/", "build/", "sub/", "sub/a/", "out/"} {
		with[folder] = ""
	}
	policy := func() verdict.Policy { return verdict.Policy{Root: "/work/project", Disk: with} }
	for line, want := range map[string]string{
		"go test ./engine/crash -run X": "go test engine/... -run X",
		"sed -i s/a/b/ src/main.go":     "sed -i s/a/b/ src/...",
		"go get example.com/a/b":        "go get example.com/a/b",
		"go test ./engine":              "go test ./engine",
		"rm -rf build/x":                "rm -rf build/...",
		"rm -rf none/x":                 "rm -rf none/x", // nobody knows that it is a path
		"rm -rf /tmp/x":                 "rm -rf /tmp/x",
		"rm -rf ../x/y":                 "",
		"cp a --to=../x":                "",
		"cp a -t../x":                   "",
		"mytool a..b ./...":             "mytool a..b './...'",
		"./run.sh":                      "",
		"bin/tool x":                    "",
		"/opt/tool x":                   "",
		"touch x > ../y":                "",
		"git commit -m 'a b'":           "git commit -m 'a b'",
		"touch '*' ... \"it's\"":        `touch '*' '...' 'it'"'"'s'`,
		"A='x y' cp a b":                "A='x y' cp a b",
		"cd sub && cp a/x b":            "cp sub/a/... b (in sub)",
		"cd .husky && tee pre-commit":   "",
		"cd '(x)' && tee y":             "",
		"cat a | tee b":                 "",
		"tee b < a":                     "",
		"patch -p1 <<'E'\nx\nE":         "",
		"{ patch -p1; } < a":            "",
		"rm a/.git/x":                   "rm a/.git/x",
		"make test":                     "",
		"sudo ls":                       "",
		"rm $x":                         "",
		"rm *.o":                        "",
		"timeout 5 rm x":                "",
		"sh -c 'rm x'":                  "",
		"python3 x.py":                  "",
		"ls && PATH=. ls":               "",
	} {
		j := policy().Judge(line)
		i := slices.IndexFunc(j.Findings, func(f verdict.Finding) bool { return f.Verdict == rein.MustAsk })
		f := j.Findings[i]
		if f.Always != want || f.Verdict != rein.MustAsk {
			t.Errorf("%q: %q (%s), want %q", line, f.Always, f.Why, want)
		}
		if want == "" {
			continue
		}
		p := policy()
		p.Rules = []verdict.Rule{grant(t, want)}
		if again := p.Judge(line); again.Verdict != rein.Allowed {
			t.Errorf("%q does not allow %q: %s", want, line, again.Explain())
		}
		if more := p.Judge(line + " && rm -rf ~"); more.Verdict == rein.Allowed {
			t.Errorf("%q also allows %q", want, line+" && rm -rf ~")
		}
	}
	j := policy().Judge("ls > out/x")
	if f := j.Findings[0]; f.Always != "> out/..." {
		t.Errorf("%q", f.Always)
	}
}

// Lines that look alike are spelled differently, as people would write them.
func TestExact(t *testing.T) {
	seen := map[string]string{}
	for line, want := range map[string]string{
		"make test":           "make test",
		"make 'test x'":       "make 'test x'",
		"make test x":         "make test x",
		"A=1 make":            "A=1 make",
		"'A=1' make":          "'A=1' make",
		"cd src && make":      "make (in src)",
		"make '(in' 'src)'":   "make '(in' 'src)'",
		"make '(in src)'":     "make '(in src)'",
		"> out":               "> out",
		"'>' out":             "'>' out",
		"timeout 5 make":      "make (run by timeout: 'timeout 5 make')",
		"timeout -s 9 5 make": "make (run by timeout: 'timeout -s 9 5 make')",
	} {
		findings := policy().Judge(line).Findings
		exact := findings[len(findings)-1].Session
		if exact != want {
			t.Errorf("%s is spelled %s, want %s", line, exact, want)
		}
		if other, ok := seen[exact]; ok {
			t.Errorf("%s and %s are both spelled %s", line, other, exact)
		}
		seen[exact] = line
	}
}

// A grant for the session is for exactly these words, in this folder, run this way.
//
// Covers: SD-50
// Attack: 79
func TestSession(t *testing.T) {
	for _, granted := range []string{"make test", "rm -rf build", "cd src && make", "timeout 5 make", "A=1 make", "sudo ls"} {
		p := policy()
		for _, f := range p.Judge(granted).Findings {
			if exact := f.Session; exact != "" {
				p.Session = append(p.Session, exact)
			}
		}
		for _, line := range []string{"make test", "rm -rf build", "cd src && make", "timeout 5 make", "A=1 make", "sudo ls", "make", "make 'test '", "make test x", "cd other && make", "A=2 make", "rm -rf 'build x'", "sudo rm", "make test && rm x", "sudo 'ls '"} {
			want := rein.MustAsk
			if line == granted {
				want = rein.Allowed
			}
			if j := p.Judge(line); j.Verdict != want {
				t.Errorf("after %q, %q is %s: %s", granted, line, verdict.Word(j.Verdict), j.Explain())
			}
		}
	}
	background := policy()
	background.How = "in the background"
	background.Session = []string{policy().Judge("rm x").Findings[0].Session}
	if j := background.Judge("rm x"); j.Verdict != rein.MustAsk || j.Findings[0].Session != "rm x (in the background)" {
		t.Errorf("a grant holds in the background too: %+v", j.Findings)
	}
	p := policy()
	for _, f := range p.Judge("rm $x").Findings {
		if exact := f.Session; exact != "" {
			t.Errorf("a word that is not known has the grant %q", exact)
		}
	}
	p.Rules = []verdict.Rule{rule(t, "deny make ...")}
	p.Session = []string{policy().Judge("make").Findings[0].Session}
	if j := p.Judge("make"); j.Verdict != rein.Denied {
		t.Error("a grant beats a deny")
	}
}
