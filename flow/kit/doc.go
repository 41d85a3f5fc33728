// Package kit has what every flow needs, so that your own flow is right in ten lines: it knows its
// session, hears what people say, survives interruptions, and still answers at a limit.
//
//	func Do(run rein.Run, task rein.Task) (rein.Outcome, error) {
//		talk, err := kit.Open(run, &task, "You are a proofreader.")
//		if err != nil {
//			return rein.Outcome{}, err
//		}
//		return kit.Loop(run, task, talk, 10, kit.ActPrompt(task))
//	}
//
// In the order in which a flow uses them:
//
//   - A [Kind] declares the flow to a program: its name, settings, tools and questions.
//   - [SettingsOf] reads the settings of a task over defaults, and clamps what is out of range. Its fields
//     are also the flow's section of rein.toml.
//   - [Open] begins the conversation: who the assistant is, what was said before in the session, the task.
//   - [Hear] adds what people said meanwhile, and [Interruptible] repeats what they interrupted.
//   - [CallAll] makes the calls of a reply, each with its result. [Loop] does all of it until the model has
//     no more calls.
//   - [Close] asks for an answer without tools, when the rounds or the budget are used up.
//   - [Prompts] and [Words] are the texts for models and for people, which users can replace or read in
//     their language.
//   - [Background] is for flows that nobody follows.
//
// All of it is pure over rein.Run, as a flow must be.
package kit
