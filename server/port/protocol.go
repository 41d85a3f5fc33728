package port

// Protocol is the WebSocket protocol that is chosen where a client offers any: a page that brings its token as
// one must be told another that was taken.
const Protocol = "rein"
