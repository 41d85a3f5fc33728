package archtest

import (
	"bytes"
	"errors"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// A Hand is a package, or a family of them, that may touch what the others read through the vocabulary.
type Hand struct{ For, Why string }

// Payloads are those that may touch Event.Data: they move it, measure it or compare it. Nobody but the
// root package decodes it; see rein.Decode.
var Payloads = []Hand{
	{".", "decodes payloads"},
	{"store/...", "keeps payloads, and hashes them"},
	{"journal/feed/...", "weighs lines before it sends them"},
	{"server/mask", "takes secrets out of payloads before anybody sees them"},
	{"server/wire", "sends large payloads from where they are"},
	{"replay/cassette", "writes payloads to files, and renames runs in them"},
	{"replay", "compares payloads value by value, also those of kinds that it does not know"},
	{"terminal", "says of a payload that it is not JSON"},
	{"engine/enginetest", "looks for secrets in payloads, and prints logs that surprise"},
}

// Signatures are those that may read or write Sig: it is what a replay must ask for again, and means
// nothing to others. A step's verb and tool are in StepStart and StepEnd, and in journal.Step.
var Signatures = []Hand{
	{".", "knows how older programs named verbs and tools"},
	{"engine", "writes signatures, and compares them when it replays"},
	{"replay", "compares logs"},
	{"replay/cassette", "plays logs"},
	{"store/storetest", "fills payloads with anything"},
	{"engine/enginetest", "writes logs as older programs did"},
	{"internal/eventjson", "writes every field of a payload"},
}

// CheckPayloads type-checks the packages below root, tests aside, and returns a line for every use of
// Event.Data, of Sig and of the ports to write that the lists do not allow, and for every decoding of
// Event.Data. unused has a line for every exported name that only tests use; see Offered.
func CheckPayloads(root string, patterns ...string) (wrong, unused []string, err error) {
	listed, err := list(root, patterns)
	if err != nil {
		return nil, nil, err
	}
	r := reader{fset: token.NewFileSet(), exports: map[string]string{}, census: newCensus()}
	for _, p := range listed {
		r.exports[p.path] = p.export
	}
	r.from = importer.ForCompiler(r.fset, "gc", r.lookup)
	if err := errors.Join(r.findFields(), r.findPorts()); err != nil {
		return nil, nil, err
	}
	for _, p := range listed {
		if own, ok := ours(p.path); ok && !p.dep {
			if err := r.check(own, p); err != nil {
				return nil, nil, err
			}
		}
	}
	slices.Sort(r.wrong)
	return r.wrong, r.census.unused(), nil
}

// A listing is a package as the go command knows it.
type listing struct {
	path, dir, export string
	files             []string
	dep               bool // only because another needs it
}

func list(root string, patterns []string) ([]listing, error) {
	const format = "{{.ImportPath}}\t{{.Dir}}\t{{.Export}}\t{{.DepOnly}}\t{{range .GoFiles}}{{.}} {{end}}"
	cmd := exec.Command("go", append([]string{"list", "-deps", "-export", "-f", format, "--"}, patterns...)...)
	cmd.Dir = root
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w: %s", err, stderr.String())
	}
	var all []listing
	for line := range strings.Lines(string(out)) {
		parts := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if len(parts) != 5 {
			return nil, fmt.Errorf("go list said %q", line)
		}
		all = append(all, listing{parts[0], parts[1], parts[2], strings.Fields(parts[4]), parts[3] == "true"})
	}
	return all, nil
}

// reader is one run of CheckPayloads.
type reader struct {
	fset    *token.FileSet
	exports map[string]string
	from    types.Importer
	data    types.Object
	sigs    map[types.Object]bool
	ports   map[types.Object]Port // by the type or function that only some may name
	census  *census
	wrong   []string
}

func (r *reader) lookup(path string) (io.ReadCloser, error) {
	if r.exports[path] == "" {
		return nil, fmt.Errorf("no export data of %s", path)
	}
	return os.Open(r.exports[path])
}

// findFields looks up the fields that are watched.
func (r *reader) findFields() error {
	vocabulary, err := r.from.Import(Module)
	if err != nil {
		return err
	}
	field := func(of, name string) types.Object {
		named := vocabulary.Scope().Lookup(of)
		if named == nil {
			return nil
		}
		found, _, _ := types.LookupFieldOrMethod(named.Type(), false, vocabulary, name)
		return found
	}
	r.data, r.sigs = field("Event", "Data"), map[types.Object]bool{}
	for _, of := range []string{"StepStart", "StepEnd", "Waiting"} {
		r.sigs[field(of, "Sig")] = true
	}
	if r.data == nil || r.sigs[nil] {
		return errors.New("the vocabulary has no Event.Data, or steps have no Sig")
	}
	return nil
}

// check looks through one package.
func (r *reader) check(own string, p listing) error {
	if own == "." {
		return nil // it defines the fields
	}
	var files []*ast.File
	for _, name := range p.files {
		file, err := parser.ParseFile(r.fset, filepath.Join(p.dir, name), nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		files = append(files, file)
	}
	info := &types.Info{Uses: map[*ast.Ident]types.Object{}}
	conf := types.Config{Importer: r.from, Error: func(error) {}} // the compiler says what is wrong
	pkg, _ := conf.Check(p.path, r.fset, files, info)
	r.census.see(own, pkg, info, func(o types.Object) string { return own + "/" + filepath.Base(r.fset.Position(o.Pos()).Filename) })
	for ident, object := range info.Uses {
		switch {
		case object == r.data && !allows(Payloads, own):
			r.report(own, ident, "uses Event.Data: read it with rein.Payload, or the whole log with journal")
		case r.sigs[object] && !allows(Signatures, own):
			r.report(own, ident, "uses Sig, which is for replays: Verb and Tool say what a step is")
		case r.denied(own, object):
			r.report(own, ident, "names store."+object.Name()+": "+r.ports[object].Else)
		}
	}
	for _, file := range files {
		r.decodes(own, file, info)
	}
	return nil
}

// decodes finds calls of encoding/json that are given a payload to decode.
func (r *reader) decodes(own string, file *ast.File, info *types.Info) {
	ast.Inspect(file, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		if called, ok := call.Fun.(*ast.SelectorExpr); !ok || !isDecoder(info.Uses[called.Sel]) {
			return true
		}
		for _, arg := range call.Args {
			ast.Inspect(arg, func(n ast.Node) bool {
				if ident, ok := n.(*ast.Ident); ok && info.Uses[ident] == r.data {
					r.report(own, ident, "decodes Event.Data: use rein.Payload, which also knows how older programs wrote it")
				}
				return true
			})
		}
		return true
	})
}

func isDecoder(called types.Object) bool {
	if called == nil || called.Pkg() == nil || called.Pkg().Path() != "encoding/json" {
		return false
	}
	return called.Name() == "Unmarshal" || called.Name() == "NewDecoder"
}

func (r *reader) report(own string, at ast.Node, what string) {
	place := r.fset.Position(at.Pos())
	r.wrong = append(r.wrong, fmt.Sprintf("%s/%s:%d %s", own, filepath.Base(place.Filename), place.Line, what))
}

func allows(hands []Hand, own string) bool {
	return slices.ContainsFunc(hands, func(h Hand) bool { return matches(h.For, own) })
}
