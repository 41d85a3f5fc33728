package verdict_test

import (
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
	for line, want := range map[string]string{
		"go test ./engine/crash -run X": "go test engine/... -run X",
		"go test ./engine":              "go test ./engine",
		"rm -rf build/x":                "rm -rf build/...",
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
		"cd sub && cp a/x b":            "cp sub/a/... b",
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
		p.Rules = []verdict.Rule{rule(t, "allow "+want)}
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
		exact := verdict.Exact(findings[len(findings)-1].Part)
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
			if exact := verdict.Exact(f.Part); exact != "" {
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
	p := policy()
	for _, f := range p.Judge("rm $x").Findings {
		if exact := verdict.Exact(f.Part); exact != "" {
			t.Errorf("a word that is not known has the grant %q", exact)
		}
	}
	p.Rules = []verdict.Rule{rule(t, "deny make ...")}
	p.Session = []string{verdict.Exact(policy().Judge("make").Findings[0].Part)}
	if j := p.Judge("make"); j.Verdict != rein.Denied {
		t.Error("a grant beats a deny")
	}
}
