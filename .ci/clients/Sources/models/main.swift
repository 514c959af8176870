// Swift 6 clients without an escape from its checks, under either default isolation.
await showDocument()
await showIndex()
await showExporter()
await showThumbnails()
await showSettings()
await showNotebook()
