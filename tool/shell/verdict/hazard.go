package verdict

import (
	"path"
	"slices"
	"strings"

	"rein/tool/shell/parse"
)

// Hazard says why a file is not read, or not written, without asking; empty: it may be. The name is absolute, or relative
// to the workspace.
func Hazard(name string, write bool) string { return hazardOf(name, write) }

// obeyed are the names of files that run or are obeyed later: of two parts at most, and without stars.
var obeyed = obeyedOf(hazards)

func obeyedOf(hazards []hazard) map[string]bool {
	names := map[string]bool{}
	for _, h := range hazards {
		if h.write {
			names[h.pattern] = true
		}
	}
	return names
}

// Obeyed reports whether a file or folder, relative to the workspace, is one that a program runs or obeys later. It does not
// look at the folders above, apart from the last one.
func Obeyed(name string) bool {
	name = strings.ToLower(name)
	base := path.Base(name)
	return obeyed[base] || obeyed[path.Base(path.Dir(name))+"/"+base]
}

// Secret reports whether a file or folder, relative to the workspace, is one that holds keys or passwords. Like Obeyed it looks at
// the last two names.
func Secret(name string) bool {
	name = strings.ToLower(name)
	if strings.HasPrefix(path.Base(name), "secrets.") && slices.Contains(code, path.Ext(name)) {
		return false // a program that handles them
	}
	last := path.Base(path.Dir(name)) + "/" + path.Base(name)
	return slices.ContainsFunc(secretPatterns, func(pattern string) bool {
		is := last
		if !strings.Contains(pattern, "/") {
			is = path.Base(name)
		}
		if !strings.ContainsAny(pattern, "*?[") {
			return is == pattern
		}
		ok, _ := path.Match(pattern, is)
		return ok
	})
}

// code are the ends of names of programs and texts.
var code = strings.Fields(".go .js .jsx .ts .tsx .mjs .py .rb .rs .java .kt .cs .c .h .cc .cpp .hpp .swift .php .ex .exs .scala .sh .sql .html .css .md .proto")

var secretPatterns = secretsOf(hazards)

func secretsOf(hazards []hazard) (all []string) {
	for _, h := range hazards {
		if !h.write && !strings.HasPrefix(h.pattern, "/") {
			all = append(all, h.pattern)
		}
	}
	return all
}

// writers are commands that make the files which their words name.
var writers = strings.Fields("cp mv ln install tee touch dd rsync")

// MayWriteHazard reports whether a part of a line may write a file that is sensitive, as far as its words and its folder say:
// it runs where such files are, names one, finds one with a glob or a link, or writes one whose name is not known in advance.
func (p Policy) MayWriteHazard(part parse.Part) bool {
	at := p.at(part.Dir)
	if at.dir != "" && hazardOf(at.dir, true) != "" {
		return true
	}
	if part.Kind == parse.Redirect {
		return part.Mode == parse.Write && (part.Path.Kind != parse.Literal || at.namesHazard(part.Path))
	}
	if len(part.Argv) == 0 {
		return false
	}
	isWriter := slices.Contains(writers, path.Base(part.Name()))
	return slices.ContainsFunc(part.Argv[1:], func(w parse.Word) bool {
		return w.Kind == parse.Unknown && isWriter || at.namesHazard(w)
	})
}

// namesHazard reports whether a word is, has or finds the path of a sensitive file of the workspace. What is outside is not in
// the box.
func (p place) namesHazard(w parse.Word) bool {
	if w.Kind == parse.Glob && p.disk != nil {
		found, ok := p.expand(w.Text)
		return !ok || slices.ContainsFunc(found, func(name string) bool { return p.namesHazard(parse.Word{Text: name}) })
	}
	return slices.ContainsFunc(pathsIn(w.Text), func(name string) bool {
		if strings.HasPrefix(name, "/proc/") && (strings.Contains(name, "/cwd") || strings.Contains(name, "/root") || strings.Contains(name, "/fd/")) {
			return true // a way back into the workspace
		}
		inside, ok := p.relative(name)
		if !ok {
			return false
		}
		real, known := p.real(name)
		return hazardOf(inside, true) != "" || known && hazardOf(real, true) != ""
	})
}
