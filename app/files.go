package app

import (
	"path/filepath"

	"rein/app/config"
	"rein/tool/diagnostics"
	"rein/tool/files"
	"rein/tool/reach"
)

// Files is the folder of the file tools, and what is to be said of it.
type Files struct {
	Dir   string // absolute; empty: there are no file tools
	Named bool   // somebody chose it; else it is the current folder
	Broad string // what speaks against it, if anything: then it was forced
	None  string // why there are no file tools
}

// String says which folder it is, in a line for people.
func (f Files) String() string {
	switch {
	case f.None != "":
		return "none: " + f.None + " (--root DIR names a folder)"
	case f.Broad != "":
		return f.Dir + " (forced: it is " + f.Broad + ")"
	}
	return f.Dir
}

// Files is the folder of the file tools, once Checked has decided it.
func (s *Setup) Files() Files { return s.files }

// chooseFiles decides the folder of the file tools. A service takes the one that its settings name, or
// none: the folder that it happens to be started in says nothing. Other programs take the current folder
// by default. What holds everything is refused, or left, unless it is forced.
func (s *Setup) chooseFiles(settings *config.Config, service bool) (Files, error) {
	files := Files{Dir: settings.Tools.Root, Named: settings.Tools.Root != ""}
	if !files.Named && service {
		files.None = "tools.root is not set"
		return files, nil
	}
	dir, err := filepath.Abs(files.Dir)
	if err != nil {
		return files, err
	}
	data := ""
	if p, err := s.Place(); err == nil && !p.Lone {
		data = p.Folder
	}
	inData := data != "" && reach.Holds(data, dir)
	broad := reach.Broad(dir, reach.Around{Homes: []string{s.env.Get("HOME")}, Data: data})
	switch {
	case files.Named && inData:
		return files, wrongSetting("tools.root is %s, which is inside the data folder (%s): choose another folder", dir, settings.Source("tools.root"))
	case files.Named && broad != "" && !settings.Tools.ForceRoot:
		return files, wrongSetting("tools.root is %s, %s (%s): choose a folder inside it, or set tools.force_root = true (--force-root) if runs may see everything in it", dir, broad, settings.Source("tools.root"))
	case inData:
		files.None = "the current folder is inside the data folder"
	case broad != "" && !settings.Tools.ForceRoot:
		files.None = "the current folder is " + broad
	default:
		files.Dir, files.Broad = dir, broad
	}
	return files, nil
}

// FileTools lists the tools that need a folder of files.
func FileTools() []string {
	return append([]string{"codebase.list_directory", "codebase.read_file", "codebase.search", diagnostics.Name, "glob", "grep", "list_directory", "read_file"}, writingTools...)
}

// writingTools change files of the workspace.
var writingTools = []string{"apply_patch", "edit_file", "write_file"}

// undoTools undo what other tools changed, in files and in notes.
var undoTools = []string{files.UndoTool}

// hasFiles reports whether there is a folder for the file tools.
func hasFiles(settings *config.Config) bool { return settings.Tools.Root != "" }

// checkFiles says which folder the file tools may see.
func (d *doctor) checkFiles(settings *config.Config) {
	const label = "files"
	files, err := d.setup.chooseFiles(settings, true)
	here, _ := d.setup.chooseFiles(settings, false)
	switch {
	case err != nil:
		d.find(Wrong, label, "set tools.root to a folder inside it, or leave tools.root out", "%v", err)
	case files.None != "" && here.None != "":
		d.find(Fine, label, "", "rein serve has no file tools: %s; rein run has none here: %s", files.None, here.None)
	case files.None != "":
		d.find(Fine, label, "", "rein serve has no file tools: %s; rein run would see %s", files.None, here)
	case files.Broad != "":
		d.find(Warn, label, "set tools.root to a folder inside it, and leave tools.force_root out", "%s is %s, and is used because tools.force_root is set", files.Dir, files.Broad)
	default:
		d.find(Fine, label, "", "%s", files.Dir)
	}
}
