/** The brick's process: sockets, threads, signals. */
@NullMarked
package io.sdds.brick.shell;

import org.jspecify.annotations.NullMarked;
