/** The commands, one class each; the shared options; the report of errors. */
@NullMarked
package io.sdds.cli.command;

import org.jspecify.annotations.NullMarked;
