/** One class a command; the shared options; what errors become. */
@NullMarked
package io.sdds.cli.command;

import org.jspecify.annotations.NullMarked;
