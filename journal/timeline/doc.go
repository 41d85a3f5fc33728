// Package timeline folds the log of a run, and the pieces of text in between, into what people see of it: a list of
// items in order, and what the run is doing now. It says the same as the timeline of clients/ts. Texts are as models,
// tools and people wrote them: whoever shows them spells out what cannot be seen. It draws nothing.
package timeline
