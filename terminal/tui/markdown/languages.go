package markdown

import (
	"strings"
	"sync"
)

// languages are those that models write most, by the names that they give them.
var languages = sync.OnceValue(func() map[string]*language {
	return named(map[string]*language{
		"go golang": {
			words:    set("break case chan const continue default defer else fallthrough for func go goto if import interface map package range return select struct switch type var nil true false iota"),
			comments: []string{"//"}, spans: slashStar, quotes: `"'`, long: []string{"`"},
		},
		"js javascript jsx mjs ts typescript tsx": {
			words:    set("as async await break case catch class const continue debugger default delete do else enum export extends finally for from function if implements import in instanceof interface let new of private protected public readonly return static super switch this throw try type typeof var void while yield null undefined true false"),
			comments: []string{"//"}, spans: slashStar, quotes: `"'`, long: []string{"`"},
		},
		"c cpp c++ h hpp cc objc cs csharp java kotlin kt scala swift dart zig proto protobuf": {
			words:    set("abstract as auto bool boolean break case catch char class const continue def default defer delete do double else enum extends extern final finally float for func fun guard if implements import in include inline int interface internal let long message namespace new nil null object override package private protected public repeated return rpc sealed service short signed sizeof static struct super switch template this throw throws trait true false try typedef typename union unsigned using val var virtual void volatile while with"),
			comments: []string{"//"}, spans: slashStar, quotes: `"'`, long: []string{`"""`},
		},
		"rust rs": {
			words:    set("as async await break const continue crate dyn else enum extern false fn for if impl in let loop match mod move mut pub ref return self Self static struct super trait true type unsafe use where while"),
			comments: []string{"//"}, spans: slashStar, quotes: `"`,
		},
		"php": {
			words:    set("abstract and array as break case catch class const continue default do echo else elseif extends false final for foreach fn function global if implements interface match namespace new null or private protected public return static switch this throw true try use var while"),
			comments: []string{"//", "#"}, spans: slashStar, quotes: `"'`,
		},
		"py python python3 starlark": {
			words:    set("and as assert async await break case class continue def del elif else except finally for from global if import in is lambda match nonlocal not or pass raise return try while with yield None True False self"),
			comments: []string{"#"}, quotes: `"'`, long: []string{`"""`, `'''`},
		},
		"rb ruby": {
			words:    set("alias and begin break case class def do else elsif end ensure false for if in module next nil not or redo rescue retry return self super then true undef unless until when while yield require"),
			comments: []string{"#"}, quotes: `"'`,
		},
		"sh bash shell zsh fish console": {
			words:    set("if then else elif fi for in do done while until case esac function return export local set unset echo exit cd source sudo"),
			comments: []string{"#"}, quotes: `"'`,
		},
		"sql postgresql postgres mysql sqlite": {
			words:   set("add all alter and as asc begin between by cascade case check column commit constraint create cross default delete desc distinct drop else end exists false foreign from full group having if in index inner insert into is join key left like limit not null on or order outer primary references returning right rollback select set table then true union unique update using values view when where with"),
			anyCase: true, comments: []string{"--"}, spans: slashStar, quotes: `"'`,
		},
		"json jsonc json5 jsonl": {words: set("true false null"), comments: []string{"//"}, spans: slashStar, quotes: `"`},
		"yaml yml toml ini conf properties env": {
			words: set("true false null yes no on off"), comments: []string{"#"}, quotes: `"'`, long: []string{`"""`},
		},
		"css scss less":    {comments: []string{"//"}, spans: slashStar, quotes: `"'`, words: set("important media import")},
		"html xml svg vue": {spans: [][2]string{{"<!--", "-->"}}, quotes: `"`},
		"lua":              {words: set("and break do else elseif end false for function goto if in local nil not or repeat return then true until while"), comments: []string{"--"}, quotes: `"'`},
		"hs haskell elm":   {words: set("case class data deriving do else if import in instance let module newtype of then type where"), comments: []string{"--"}, spans: [][2]string{{"{-", "-}"}}, quotes: `"`},
		"make makefile dockerfile docker hcl tf terraform nginx r elixir ex perl pl": {
			words:    set("FROM RUN CMD COPY ADD ENV ARG WORKDIR EXPOSE ENTRYPOINT USER VOLUME LABEL if else endif ifeq ifneq ifdef include export define resource variable output module data provider server location def do end fn my sub use function true false"),
			comments: []string{"#"}, quotes: `"'`,
		},
		"diff patch": {diff: true},
	})
})

var slashStar = [][2]string{{"/*", "*/"}}

// named returns the languages by each of their names.
func named(by map[string]*language) map[string]*language {
	all := map[string]*language{}
	for names, l := range by {
		for _, name := range strings.Fields(names) {
			all[name] = l
		}
	}
	return all
}

func set(words string) map[string]bool {
	all := map[string]bool{}
	for _, w := range strings.Fields(words) {
		all[w] = true
	}
	return all
}
