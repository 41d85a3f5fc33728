package export

import (
	"time"

	"rein"
)

// The parts of a document, in the order in which they can come. Their texts are as people, models and tools wrote them: each
// form makes them harmless where it writes them.
type (
	// head opens the document.
	head struct {
		Title, Session, User string
		Started, Changed     time.Time
		Exported             time.Time
		Version              string
		Runs, Live           int64
		Tokens               int64
		Cost                 string     // with its currency; empty: nothing
		One                  rein.RunID // the only run that is exported; empty: all
		Contents             []listed
	}
	// listed is a run in the list of contents.
	listed struct {
		N      int64
		Title  string
		Status status
	}
	// runHead opens a run of the session.
	runHead struct {
		N                                int64
		ID                               rein.RunID
		Title, By, Flow, Workspace, From string
		Mode                             rein.Mode
		Started                          time.Time
		Status                           status
		Live, Erased                     bool
		Doing                            string
	}
	// runFoot closes a run, with what proves its logs.
	runFoot struct {
		Logs  []logHead
		Usage []string
	}
	// foot closes the document.
	foot struct{}

	// files lists the files of the session.
	files struct{ All []file }
)

type status struct{ Sign, Word, Tone string }

// A logHead says where the log of a run ends. The hash covers all events before.
type logHead struct {
	Run    rein.RunID
	Events int64
	Head   rein.Hash
}

type file struct {
	Name, Type string
	Size       int64
	Changed    time.Time
	Run        rein.RunID
	Picture    *picture // nil: it is not an image
}

// A picture is an image: embedded, or named with why not.
type picture struct {
	About string // what is known of it, in words
	Name  string
	Type  string // by its bytes; empty: it is not embedded
	Data  []byte
	Why   string // it is not embedded
}

// base is what the items of a timeline have in common.
type base struct {
	At time.Time
}

// The items of a timeline.
type (
	// said is what a person said or, with From, another run.
	said struct {
		base
		Who      string
		From     rein.RunID
		How      string // a new task, a comment; empty: plainly
		Text     string
		Pictures []picture
		Became   string // what became of it
		Erased   bool
	}
	// wrote is what a model wrote for people.
	wrote struct {
		base
		Model string
		Text  string
		Note  string // in rein's words: cut off, failed
		Bad   bool
	}
	// thought is what a model said to itself, in a phase that people may follow.
	thought struct {
		base
		Label, Text, Note string
	}
	// remark is what rein itself says.
	remark struct {
		base
		Label, Text string
		Quote       string // in the words of somebody else
	}
	// called is a call of a tool.
	called struct {
		base
		Name, Argument, Summary, Took string
		Status                        status
		Args                          string
		Facts                         []fact
		Warning, Failure              string
		Output                        string
		Cut                           int64 // how many bytes of the output are left out
		Pictures                      []picture
		Files                         []file
	}
	// asked is something that waits or waited for a person.
	asked struct {
		base
		Wants, Means, Text, Args string
		Choices                  []string
		Status                   status
		Answer                   string // who did what
		Words                    string // what the person wrote
		Edited                   string // the arguments that the person wrote
		Closed                   time.Time
		Waited                   string
	}
	// childHead opens a run below the one above it, and childFoot closes it.
	childHead struct {
		base
		Run      rein.RunID
		Question string
		Status   status
	}
	childFoot struct{ Run rein.RunID } // that continues
	// ended is how a run ended.
	ended struct {
		base
		Status    status
		Text      string
		Replaces  bool // the text takes the place of a draft that is not shown
		Failure   string
		Facts     []string
		Citations []citation
		Doubtful  []doubt
	}
)

type fact struct{ Name, Value string }

type citation struct {
	N                    int64
	Path, Section, Quote string
	Unread               bool
}

type doubt struct{ Text, Source, Missing string }
