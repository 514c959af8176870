// Swift 6 clients without an escape from its checks, under either default isolation.
await showDocument()
await showIndex()
await showThumbnails()
await showSettings()
