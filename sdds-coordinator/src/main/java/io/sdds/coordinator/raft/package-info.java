/**
 * The command log on Apache Ratis, with threads, files and, in groups of several members, sockets. Only this package
 * uses the library.
 */
@NullMarked
package io.sdds.coordinator.raft;

import org.jspecify.annotations.NullMarked;
