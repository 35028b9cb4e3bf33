/** Output of commands: text, tables, progress, JSON. */
@NullMarked
package io.sdds.cli.terminal;

import org.jspecify.annotations.NullMarked;
