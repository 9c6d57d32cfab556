"""`python -m pykala`: the command line without a script on the path."""

from pykala.interfaces.cli.main import main

if __name__ == "__main__":
    main()
