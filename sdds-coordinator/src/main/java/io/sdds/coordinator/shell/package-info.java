/** The process of a coordinator: its configuration, directory, sockets, start and end. */
@NullMarked
package io.sdds.coordinator.shell;

import org.jspecify.annotations.NullMarked;
