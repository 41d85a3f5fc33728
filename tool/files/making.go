package files

import (
	"path"
	"sync"
)

// making has the files that calls of this process write beside others, before these take their places. A command that
// runs meanwhile did not make them.
var making sync.Map

// make notes such a file. done forgets it.
func (r *Root) make(local, temp string) (done func()) {
	name := r.absolute(path.Join(path.Dir(local), temp))
	making.Store(name, true)
	return func() { making.Delete(name) }
}

func (r *Root) isMaking(local string) bool {
	_, is := making.Load(r.absolute(local))
	return is
}
