/** What all commands share: the common options, failures with their exit codes, converters of arguments. */
@NullMarked
package io.sdds.cli.command.base;

import org.jspecify.annotations.NullMarked;
