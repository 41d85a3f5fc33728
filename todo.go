package rein

// TodoTool is the name of the tool that keeps a list of things to do. The Data of its results is a Todo, so the
// newest list of a run is in its newest result, and clients that follow a run see every change.
const TodoTool = "todo"

// A Todo is a list of things to do that a model keeps while it works.
type Todo struct {
	Items []TodoItem `json:"items"`
}

// A TodoItem is one thing to do.
type TodoItem struct {
	ID    int       `json:"id"`
	Text  string    `json:"text"`
	State TodoState `json:"state"`
}

// TodoState says how far a thing to do is.
type TodoState string

const (
	TodoPending TodoState = "pending"
	TodoDoing   TodoState = "doing" // at most one item is
	TodoDone    TodoState = "done"
)
