package archtest

import (
	"fmt"
	"go/types"
)

// A Port is a part of the store's that only some may name, since who has it can change what is kept.
type Port struct {
	Names []string // in package store
	Else  string   // what others do
	Hands []Hand
}

// Ports are those that write. All others are for everybody: store.Reader and its parts.
var Ports = []Port{
	{
		Names: []string{"Writer", "DriverViews", "Batch", "Draft", "Start", "NextRun"},
		Else:  "only the engine writes logs; read with store.Reader, and send the engine a command",
		Hands: []Hand{
			{"store/...", "implements and tests it"},
			{"engine", "writes logs"},
			{"engine/enginetest/...", "stands between an engine and its store"},
			{"replay", "refuses in a run that is played again what was refused then"},
			{"bench", "makes stores of a size that runs would take hours for"},
		},
	},
	{
		Names: []string{"Eraser"},
		Else:  "only household/erase erases, since it knows who quotes whom",
		Hands: []Hand{{"store/...", "implements and tests it"}, {"household/erase", "erases for people"}},
	},
	{
		Names: []string{"Tables"},
		Else:  "read with store.Snapshots; writes to our own tables are in the packages that own them",
		Hands: []Hand{
			{"store/...", "implements and tests it"},
			{"household/...", "owns the tables of people, files, workspaces and memory"},
			{"follow/notify", "owns the outbox"},
			{"tool/lists", "tries a change and takes it back, so that the model hears what is wrong; the end of its step makes it"},
			{"follow/scheduler", "fires jobs in one transaction with their slots; their SQL is in household/schedule"},
			{"follow/deliver", "owns the outbox of people's messages"},
			{"follow/hook", "owns the webhooks of users, and what came through them"},
			{"follow/telegram", "owns what it has handled and shown"},
			{"vault/stage", "owns staged notes and the journal of commits"},
		},
	},
	{
		Names: []string{"Store"},
		Else:  "name the part of the port that is needed: store.Reader, store.Snapshots, store.Auditor",
		Hands: []Hand{
			{"store/...", "implements and tests it"},
			{"engine/enginetest/...", "opens stores"},
		},
	},
}

// findPorts looks up what the ports name.
func (r *reader) findPorts() error {
	r.ports = map[types.Object]Port{}
	kept, err := r.from.Import(Module + "/store")
	if err != nil {
		return err
	}
	for _, p := range Ports {
		for _, name := range p.Names {
			object := kept.Scope().Lookup(name)
			if object == nil {
				return fmt.Errorf("package store has no %s", name)
			}
			r.ports[object] = p
		}
	}
	return nil
}

func (r *reader) denied(own string, object types.Object) bool {
	p, watched := r.ports[object]
	return watched && !allows(p.Hands, own)
}
