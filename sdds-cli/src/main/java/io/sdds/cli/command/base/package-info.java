/** Holds the parts that all commands share: common options, failures with their exit codes, converters of arguments. */
@NullMarked
package io.sdds.cli.command.base;

import org.jspecify.annotations.NullMarked;
