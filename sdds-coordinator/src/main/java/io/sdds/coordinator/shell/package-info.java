/** The coordinator as a process: its configuration, directory, sockets and life. */
@NullMarked
package io.sdds.coordinator.shell;

import org.jspecify.annotations.NullMarked;
