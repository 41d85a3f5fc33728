package cli

import (
	"path/filepath"

	"rein/app/config"
	"rein/tool/reach"
)

// A filesRoot is the folder of the file tools, and what is to be said of it.
type filesRoot struct {
	dir   string // absolute; empty: there are no file tools
	named bool   // somebody chose it; else it is the current folder
	broad string // what speaks against it, if anything: then it was forced
	none  string // why there are no file tools
}

// settled returns the settings with the folder of the file tools decided. A service takes the one that
// its settings name, or none: the folder that it happens to be started in says nothing. Other commands
// take the current folder by default. What holds everything is refused, or left, unless it is forced.
func (c *call) settled(settings *config.Config, service bool) (*config.Config, error) {
	root, err := c.chooseRoot(settings, service)
	if err != nil {
		return nil, err
	}
	c.files = root
	copied := *settings
	copied.Tools.Root = root.dir
	return &copied, nil
}

func (c *call) chooseRoot(settings *config.Config, service bool) (filesRoot, error) {
	root := filesRoot{dir: settings.Tools.Root, named: settings.Tools.Root != ""}
	if !root.named && service {
		root.none = "tools.root is not set"
		return root, nil
	}
	dir, err := filepath.Abs(root.dir)
	if err != nil {
		return root, err
	}
	data := ""
	if p, err := c.place(); err == nil && !p.lone {
		data = p.folder
	}
	inData := data != "" && reach.Holds(data, dir)
	broad := reach.Broad(dir, reach.Around{Homes: []string{c.env.Get("HOME")}, Data: data})
	switch {
	case root.named && inData:
		return root, usagef("tools.root is %s, which lies in the data folder (%s): name a folder elsewhere", dir, settings.Source("tools.root"))
	case root.named && broad != "" && !settings.Tools.ForceRoot:
		return root, usagef("tools.root is %s, %s (%s): name a folder in it, or set tools.force_root = true (--force-root) if runs may see all of it", dir, broad, settings.Source("tools.root"))
	case inData:
		root.none = "the current folder lies in the data folder"
	case broad != "" && !settings.Tools.ForceRoot:
		root.none = "the current folder is " + broad
	default:
		root.dir, root.broad = dir, broad
	}
	return root, nil
}

// tellFiles says in a line that there are no file tools, if there are none.
func (c *call) tellFiles() {
	if c.files.none != "" {
		c.note("rein: no file tools: %s; go to the folder of your work, or name it with --root DIR", safe(c.files.none))
	}
}

// says is the root in the words of the banner.
func (r filesRoot) says() string {
	switch {
	case r.none != "":
		return "none: " + r.none + " (--root DIR names a folder)"
	case r.broad != "":
		return r.dir + " (forced: it is " + r.broad + ")"
	}
	return r.dir
}

// fileNames lists the tools that need a folder.
func fileNames() []string { return []string{"list_directory", "read_file"} }

// hasFiles reports whether there is a folder for the file tools.
func hasFiles(settings *config.Config) bool { return settings.Tools.Root != "" }

// checkFiles says which folder the file tools may see.
func (d *doctor) checkFiles(c *call, settings *config.Config) {
	const label = "files"
	root, err := c.chooseRoot(settings, true)
	here, _ := c.chooseRoot(settings, false)
	switch {
	case err != nil:
		d.find(wrong, label, "", "%v", err)
	case root.none != "" && here.none != "":
		d.find(fine, label, "", "rein serve has no file tools: %s; rein run has none here: %s", root.none, here.none)
	case root.none != "":
		d.find(fine, label, "", "rein serve has no file tools: %s; rein run would see %s", root.none, here.says())
	case root.broad != "":
		d.find(warn, label, "choose a folder in it", "%s is %s, and is used because tools.force_root is set", root.dir, root.broad)
	default:
		d.find(fine, label, "", "%s", root.dir)
	}
}
