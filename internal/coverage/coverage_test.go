package coverage

import (
	"maps"
	"reflect"
	"strings"
	"testing"
	"testing/fstest"
)

const reqs = `# Requirements

Delivered: engine

| capability | brings |
|---|---|
| ` + "`engine`" + ` | runs |
| ` + "`flows`" + ` | ways of working |

| ID | what | brought by |
|---|---|---|
| ENG-1 | a verb is recorded | engine |
| ENG-2 | a failure too | engine, flows |
| TAB-B1 | JSON in text | flows, engine |
`

// good is a small tree in which everything is in order.
var good = map[string]string{
	RequirementsFile:               reqs,
	"a/a_test.go":                  "package a\n\n// TestOne is one.\n//\n// Covers: ENG-1\nfunc TestOne() {}\n",
	"store/storetest/sub/suite.go": "// Covers: ENG-2\n\npackage storetest\n",
	"flow/testdata/case.txtar":     "What it pins.\nCovers: TAB-B1 TAB-B1/engine\n-- in --\nCovers: NO-1\n",
	"web/e2e/chat.test.mjs":        "// Covers: ENG-1\n// More.\ntest('a person asks', async () => {\n});\n",
	"a/testdata/src/x_test.go":     "package x\n\n// Covers: NO-2\nfunc TestX() {}\n",
	"a/plain.go":                   "package a\n\n// Covers: NO-3\nfunc f() {}\n",
	"tools/go.mod":                 "module tools\n",
	"tools/x_test.go":              "package x\n\n// Covers: NO-4\nfunc TestX() {}\n",
	".hidden/x_test.go":            "not go",
	"web/node_modules/y/y_test.go": "not go",
}

// treeWith returns the good tree with some files replaced.
func treeWith(files map[string]string) fstest.MapFS {
	all := maps.Clone(good)
	maps.Copy(all, files)
	tree := fstest.MapFS{}
	for name, text := range all {
		tree[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return tree
}

func TestGenerate(t *testing.T) {
	text, err := Generate(treeWith(nil))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"| engine | yes | 3 | 3 |\n| flows | no | 1 | 2 |\n",
		"| ENG-1 | a/a_test.go | TestOne |\n",
		"| ENG-1 | web/e2e/chat.test.mjs | a person asks |\n",
		"| ENG-2 | store/storetest/sub/suite.go | (whole file) |\n",
		"| TAB-B1 | flow/testdata/case.txtar | case |\n| TAB-B1/engine | flow/testdata/case.txtar | case |\n",
		"1 of 3 requirements are covered.\n",
		"| ENG-2 | flows | a failure too |\n| TAB-B1 | flows (tested) | JSON in text |\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}

func TestCheck(t *testing.T) {
	text, err := Generate(treeWith(nil))
	if err != nil {
		t.Fatal(err)
	}
	if err := Check(treeWith(map[string]string{CoverageFile: text})); err != nil {
		t.Errorf("a fresh file is refused: %v", err)
	}
	for name, files := range map[string]map[string]string{
		"edited":  {CoverageFile: text + "x"},
		"missing": {},
	} {
		if err := Check(treeWith(files)); err == nil || !strings.Contains(err.Error(), "make generate") {
			t.Errorf("%s: Check = %v, want it to say what to do", name, err)
		}
	}
}

// TestPlantedErrors plants one mistake at a time into the good tree.
func TestPlantedErrors(t *testing.T) {
	row := func(line string) map[string]string { return map[string]string{RequirementsFile: reqs + line + "\n"} }
	test := func(src string) map[string]string {
		return map[string]string{"b/b_test.go": "package b\n\n" + src + "\n"}
	}
	for name, c := range map[string]struct {
		files map[string]string
		want  string
	}{
		"unknown ID":             {test("// Covers: ENG-1 ENG-9\nfunc TestB() {}"), "b/b_test.go:3: Covers: ENG-9 is not in"},
		"comma between IDs":      {test("// Covers: ENG-1, ENG-2\nfunc TestB() {}"), "ENG-1, is not in"},
		"script above nothing":   {map[string]string{"b.test.ts": "// Covers: ENG-1\nconst a = 1;\n"}, `b.test.ts:1: this "Covers:" line stands above no test`},
		"unknown ID in txtar":    {map[string]string{"b.txtar": "# Covers: ENG-8\n"}, "b.txtar:1: Covers: ENG-8"},
		"empty line":             {test("// Covers:\nfunc TestB() {}"), "b/b_test.go:3: this line names nothing"},
		"above nothing":          {test("// Covers: ENG-1\n\nvar (\n)\n"), "b/b_test.go:3: this \"Covers:\" line stands above no test"},
		"delivered, no test":     {row("| ENG-3 | crash | engine, flows |"), `ENG-3 (engine) is delivered but no test covers it (want "Covers: ENG-3"): crash`},
		"second half, no test":   {map[string]string{"flow/testdata/case.txtar": "Covers: TAB-B1\n"}, `TAB-B1 (engine) is delivered but no test covers it (want "Covers: TAB-B1/engine"): JSON`},
		"half that is not named": {test("// Covers: ENG-1/flows\nfunc TestB() {}"), "b/b_test.go:3: Covers: ENG-1/flows: ENG-1 names engine"},
		"unused capability":      {map[string]string{RequirementsFile: strings.Replace(reqs, "| ID |", "| `scale` | many |\n\n| ID |", 1)}, `no requirement names the capability "scale"`},
		"ID twice":               {row("| ENG-1 | again | engine |"), "line 15: ENG-1 is there twice"},
		"malformed ID":           {row("| eng 4 | x | engine |"), `"eng 4" does not look like an ID`},
		"missing cell":           {row("| ENG-4 | x |"), "a row has 2 cells"},
		"empty cell":             {row("| ENG-4 | | engine |"), "ENG-4: an empty cell"},
		"unknown capability":     {row("| ENG-4 | x | magic |"), `ENG-4: there is no capability "magic"`},
		"unknown delivery":       {row("Delivered: magic"), `Delivered: there is no capability "magic"`},
		"nothing said":           {map[string]string{RequirementsFile: strings.Replace(reqs, "Delivered: engine", "", 1)}, "Delivered"},
		"a test does not parse":  {test("func {"), "b/b_test.go:3"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Generate(treeWith(c.files))
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("Generate: %v\nwant %q", err, c.want)
			}
		})
	}
}

// TestOpen: a requirement is covered when all of its capabilities are delivered and tested; until then
// it is open, and the document says what is missing.
func TestOpen(t *testing.T) {
	more := "| HUM-1 | later | flows, engine |\n| HUM-2 | later too | flows |\n"
	files := map[string]string{RequirementsFile: reqs + more, "b/b_test.go": "package b\n\n// Covers: HUM-1/engine\nfunc TestB() {}\n"}
	text, err := Generate(treeWith(files))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"1 of 5 requirements are covered.", "| HUM-1 | flows | later |\n| HUM-2 | flows | later too |\n"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	files[RequirementsFile] = strings.Replace(reqs, "Delivered: engine", "Delivered: engine, flows", 1) + more
	text, err = Generate(treeWith(files))
	if err == nil || !strings.Contains(text, "| HUM-1 | flows (no test) | later |\n") || !strings.Contains(text, "| ENG-2 | flows (no test) |") {
		t.Errorf("delivered and not tested: %v\n%s", err, text)
	}
}

func TestOwner(t *testing.T) {
	src := `package b

// Covers: ENG-1
var cases = []string{
	// Covers: ENG-2
	"x",
}

func TestB() {
	// Covers: TAB-B1
	run("sub")
}
`
	claims, wrong, err := scan(fstest.MapFS{"b/b_test.go": {Data: []byte(src)}}, covers)
	if err != nil || len(wrong) > 0 {
		t.Fatal(err, wrong)
	}
	for i, want := range []string{"cases", "cases", "TestB"} {
		if claims[i].test != want {
			t.Errorf("claim %d belongs to %q, want %q", i, claims[i].test, want)
		}
	}
}

func TestAttacks(t *testing.T) {
	list := "| # | attack | promise |\n|---|---|---|\n| 1 | guess | hold |\n| 2 | flood | bound |\n"
	files := func(src string) fstest.MapFS {
		return treeWith(map[string]string{AttacksFile: list, "a/a_test.go": "package a\n\n" + src, "b/s.txtar": "Attack: 2\n-- x --\n"})
	}
	got, err := Attacks(files("// Attack: 1 2\nfunc TestA() {}\n"))
	want := []Attack{
		{1, "guess", "hold", []Test{{"a", "TestA", false}}},
		{2, "flood", "bound", []Test{{"a", "TestA", false}, {"b", "s", true}}},
	}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("Attacks = %v, %v, want %v", got, err, want)
	}
	for src, want := range map[string]string{
		"// Attack: 3\nfunc TestA() {}\n": `no attack "3"`,
		"// Attack: x\nfunc TestA() {}\n": `no attack "x"`,
		"// Attack: 1\nvar cases = 1\n":   "must stand above a Test",
		"// Attack:\nfunc TestA() {}\n":   "names nothing",
	} {
		if _, err := Attacks(files(src)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: Attacks = %v, want %q", src, err, want)
		}
	}
	if _, err := Attacks(treeWith(map[string]string{AttacksFile: list + "| 4 | x | y |\n"})); err == nil || !strings.Contains(err.Error(), "want row 3") {
		t.Errorf("a gap in the numbers: %v", err)
	}
}
