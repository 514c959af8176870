// The objects of this folder as diagnostics of a test describe them.

extension CoalescingCallback: PendingObject {}

extension CoalescingCollector: PendingObject {}
