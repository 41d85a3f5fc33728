package verdict

import (
	"regexp"
	"slices"
	"strings"
)

// Lines of a repository's settings that are understood, without what ends them. Git knows more: several headers on a line, values that
// go on in the next one. Nobody writes those, apart from people who want to hide a setting.
var (
	configHeader = regexp.MustCompile(`^[ \t]*\[([A-Za-z0-9-]+)([ \t]+"[^"\\]*")?\][ \t]*$`)
	configValue  = regexp.MustCompile(`^[ \t]*([A-Za-z][A-Za-z0-9-]*)[ \t]*(=[^\\]*)?$`)
	configNone   = regexp.MustCompile(`^[ \t]*([#;].*)?$`)
)

// Settings with which git runs nothing and reads nothing elsewhere, in commands that only read: those without effect there, and
// those that gitSettings overrides. A section with a star is harmless as a whole.
var harmlessSettings = strings.Fields(`user.* branch.* color.* column.* advice.* alias.* pager.* push.* pull.* fetch.* rebase.* init.* credential.* http.* url.* lfs.*
	core.repositoryformatversion core.filemode core.bare core.logallrefupdates core.ignorecase core.precomposeunicode core.symlinks core.autocrlf core.safecrlf core.eol
	core.abbrev core.quotepath core.compression core.whitespace core.longpaths core.hidedotfiles core.protectntfs core.checkstat core.trustctime core.preloadindex
	core.untrackedcache core.commitgraph core.sparsecheckout core.sparsecheckoutcone core.fsmonitor core.hookspath core.pager core.editor core.sshcommand
	remote.url remote.pushurl remote.fetch remote.push remote.tagopt remote.prune remote.mirror remote.pushdefault remote.gh-resolved
	submodule.active submodule.url extensions.worktreeconfig extensions.objectformat commit.gpgsign tag.gpgsign merge.ff merge.conflictstyle
	diff.external diff.renames diff.algorithm diff.mnemonicprefix diff.noprefix diff.colormoved log.showsignature log.date log.decorate log.abbrevcommit
	status.showuntrackedfiles status.short status.branch interactive.difffilter`)

// doubtful says which setting of a file is not known to be harmless, or "".
func doubtful(config string) string {
	section := ""
	for line := range strings.Lines(config) {
		line = strings.TrimSuffix(strings.TrimSuffix(line, "\n"), "\r")
		if m := configHeader.FindStringSubmatch(line); m != nil {
			section = strings.ToLower(m[1])
			continue
		}
		if configNone.MatchString(line) {
			continue
		}
		m := configValue.FindStringSubmatch(line)
		if m == nil {
			return short(line)
		}
		key := section + "." + strings.ToLower(m[1])
		if !slices.Contains(harmlessSettings, key) && !slices.Contains(harmlessSettings, section+".*") {
			return key
		}
	}
	return ""
}
