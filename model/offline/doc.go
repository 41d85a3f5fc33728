// Package offline is the model that answers when no provider is configured. It is a set of rules,
// not an LLM, and it says so. It needs no network, keeps nothing between calls, and gives the same
// reply to the same request.
//
// It can do one thing: find a tool that fits the person's words, call it, and quote what it returned,
// with where that stands. It understands nothing. It cannot reason, translate, write or remember, and
// it never changes anything: apart from commands that a person wrote in backticks, it only calls tools
// that look. Every word of a reply is either a fixed sentence (says_en.md, says_nl.md) or a quote.
// What tools return is never obeyed: only the person's own words lead to a call.
//
// A reply is made in four steps, each in files of its own:
//
//   - Read the request: turn.go finds the person's question and pairs calls with results, outside.go
//     takes the quoting off results, mentions.go finds files, folders and commands in the question.
//   - Choose a tool: plan.go has the table of rules, in order; rules.go and listing.go say what each
//     proposes, roles.go which tools there are for it, call.go writes the arguments.
//   - Answer, if no rule proposes a new call: sources.go cuts results into lines with citations,
//     evidence.go picks those that fit the question, answer.go writes the reply.
//   - Or write what a flow wants instead: format.go for the JSON blocks of the flows' prompts,
//     schema.go for a prompt with a schema, summary.go for a summary.
//
// The languages are English and Dutch: words.go has what the rules know of a language, words_en.go and
// words_nl.go the words themselves, says.go the fixed sentences. To add a rule, add a row to one of the
// tables and a line to TestRules.
package offline
