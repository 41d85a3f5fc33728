// Package engine drives runs: it replays a run's log, does what the flow asks for next, records it,
// and lets go of the run while it waits. Everything it knows about a run comes from the log, so it can
// be cut off anywhere and started again.
//
// # From a task to an outcome
//
// Start writes the first event of a run, and a dispatcher calls Drive when the run is due. A drive
// claims the run's next epoch, reads the log and calls the flow with a branch, which is the rein.Run
// of this package. The flow asks for things with its verbs. Each verb is a step with a key, counted in
// program order, and goes one of three ways:
//
//   - The log has the step's end: the verb returns it. That is all a replay does.
//   - The log has the step's beginning only, because of a crash, a park or a shutdown. The step continues
//     from what was recorded; it left no other state anywhere.
//   - The log has nothing: the step begins. Its upper bound is reserved first, and the intent of a call
//     that cannot simply be repeated is in the log before the call is made.
//
// When the flow returns, finish ends the run: first its children, then itself. When all branches wait,
// for people, children or a time, the run is parked: the drive ends, and all that is left is rows. A
// command, the end of a child or the time makes the run due, and the next drive replays it to the same
// place.
//
// # The parts of a drive
//
// A drive has parts, each of which owns its fields:
//
//	runLog     what was read of the log, and what is written and not durable yet
//	mail       what people and children sent: commands, answers, ends
//	purse      what is known about the budget without asking the store
//	waits      which branches run, which wait and for what, and which calls are running
//	history    what earlier calls mean for the next one
//	summaries  what stands for the older part of long prompts
//
// The drive itself holds them together: it records (write.go), reads (load.go), parks (park.go), lets go
// (unwind.go) and ends (finish.go). A step is one verb in progress. Steps of model calls and tool calls
// have types of their own, and files that begin with the verb's name.
//
// # Locks
//
// A drive has two locks, and they are taken in this order:
//
//  1. runLog.writing is held from before a batch is handed to the store, or the log is read, until
//     the drive has taken in the result. So it sees events in the order of the log. It may be held
//     for as long as the disk takes.
//  2. drive.mu guards the state of the drive and all its parts, which have a pointer to it. It is held
//     briefly: code that waits for the store, for a call or for a person releases it first.
//     Only load keeps it while it reads, when nothing can happen yet.
//
// Engine.mu guards the maps of the engine and is never held together with a lock of a drive. A function
// whose name ends in Locked, or whose comment says so, is called with mu held. One whose name ends in
// Now takes mu for a look at something that may be different a moment later.
//
// # Goexit
//
// Some ends are not results: the run is parked, the store refused an append because another process has
// the run, or this one shuts down. A flow must not see them, because it would then record or return something
// that depends on where its run was cut off. So they do not come as errors. The drive changes its state,
// cancels the running calls and wakes everything that waits; and every goroutine of the flow then ends itself
// with runtime.Goexit at its next verb. That runs deferred functions, and nothing that a flow does can
// swallow it, since recover does not see it.
//
// It follows that:
//
//   - Only the goroutines of a run may exit: the one that carry starts, the branches of a Parallel, and
//     the timing of a model call. The dispatcher's goroutine, the flush timer and whoever calls wake must
//     not; they call unwind or giveUp, and the run's own goroutines find out.
//   - A function that may exit releases its locks in deferred calls. Nearly everything that records may
//     exit, because nothing may be recorded once the drive is over.
//   - A function that returns an error returns one that leaves something to try, or that the flow is to
//     see. Where there is neither, it does not return.
//   - Parallel waits for its branches. If one of them exits, the branch that waits exits too.
package engine
