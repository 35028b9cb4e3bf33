/**
 * The command log on Apache Ratis: a shell with threads, files and, in groups of several, sockets. The only place that
 * knows the library.
 */
@NullMarked
package io.sdds.coordinator.raft;

import org.jspecify.annotations.NullMarked;
