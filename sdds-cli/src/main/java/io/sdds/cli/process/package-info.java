/** Processes that commands start or are. */
@NullMarked
package io.sdds.cli.process;

import org.jspecify.annotations.NullMarked;
